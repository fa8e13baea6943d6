import { begin } from "./keys.js";

// load fetches a page and puts its parts with ids in the place of those on this page.
// Of several calls for the same parts, the last one counts. It returns "shown", "gone" if there
// is no such page, "lost" if the server has ended, and "late" if a later call has taken over.
const running = new Map();

// stop ends the calls that run, or those for a part, so that no part is replaced under a form that is being sent or typed in.
export function stop(part) {
  for (const [id, control] of running) if (!part || id === part) control.abort();
}

export async function load(address, ...ids) {
  running.get(ids[0])?.abort();
  const control = new AbortController();
  running.set(ids[0], control);
  let page;
  try {
    const answer = await fetch(address, { signal: control.signal });
    if (answer.status === 403) throw new Error("another server");
    if (!answer.ok || answer.redirected) return "gone"; // or it answered a form
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    if (control.signal.aborted) return "late";
    lost(true);
    return "lost";
  }
  if (control.signal.aborted) return "late";
  for (const id of ids) {
    const fresh = page.getElementById(id);
    const old = document.getElementById(id);
    if (!fresh || !old) continue;
    const notice = old.querySelector(":scope > .notice"); // it is told once
    const told = fresh.querySelector(":scope > .notice");
    if (notice && !told?.querySelector("p")) {
      told?.remove();
      fresh.prepend("\n", notice.cloneNode(true));
    }
    if (id === "menu") keepCurrent(fresh, old);
    twin(fresh, old.querySelector(".row.selected"))?.classList.add("selected");
    for (const part of old.querySelectorAll("details[open][id]")) fresh.querySelector("#" + CSS.escape(part.id))?.setAttribute("open", "");
    if (fresh.innerHTML !== old.innerHTML) {
      const active = old.contains(document.activeElement) && document.activeElement;
      old.replaceChildren(...fresh.childNodes);
      const now = active && (document.getElementById(active.id) ?? linkIn(old, active.getAttribute("href") ?? ""));
      if (now) now.focus({ preventScroll: true }); // else the next key would be one of the page's
    }
  }
  begin(); // if the selected row is gone
  if (ids[0] !== "menu") document.title = page.title;
  return "shown";
}

// keepCurrent keeps the entry of the menu that this page belongs to: the fresh menu comes from another page.
function keepCurrent(fresh, old) {
  const here = old.querySelector("[aria-current]")?.getAttribute("href");
  for (const link of fresh.querySelectorAll("a")) {
    if (link.getAttribute("href") === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

const linkIn = (part, href) => part.querySelector(`.row a[href="${CSS.escape(href)}"]`);

// twin finds a row in a fresh part, by its id or its link.
const twin = (part, row) =>
  row?.id ? part.querySelector("#" + CSS.escape(row.id)) : linkIn(part, row?.querySelector("a")?.getAttribute("href") ?? "")?.closest(".row");

// lost says in place that the server has ended, or no longer does.
export function lost(now) {
  document.getElementById("lost").hidden = !now;
}

// later calls fn once it has not been asked to for a moment.
export function later(fn, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(fn, milliseconds);
  };
}
