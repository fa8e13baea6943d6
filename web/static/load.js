// load fetches a page and puts its part with an id in the place of the one on this page.
// Of several calls for the same part, the last one counts. It returns false if there is no such
// page.
const running = new Map();

export async function load(address, id) {
  running.get(id)?.abort();
  const control = new AbortController();
  running.set(id, control);
  let page;
  try {
    const answer = await fetch(address, { signal: control.signal });
    if (!answer.ok || answer.redirected) return false; // it is gone, or answered a form
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return; // a later call has taken over, or the server has ended
  }
  const fresh = page.getElementById(id);
  const old = document.getElementById(id);
  if (control.signal.aborted || !fresh || !old) return;
  const notice = old.querySelector(":scope > .notice"); // it is told once
  if (notice && !fresh.querySelector(":scope > .notice")) fresh.prepend("\n", notice.cloneNode(true));
  if (fresh.innerHTML !== old.innerHTML) old.replaceChildren(...fresh.childNodes);
  document.title = page.title;
}

// later calls fn once it has not been asked to for a moment.
export function later(fn, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(fn, milliseconds);
  };
}
