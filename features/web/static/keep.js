// A passage of a session is saved where it stands: the form comes below it, with a proposal from the text that is selected
// in it, or from all of it. Without scripts the form is a page of its own.
import { restore } from "./drafts.js";
import { load } from "./load.js";

const most = 1500; // characters of a selection, as many as a memory takes

// selected returns what is selected within a passage.
function selected(passage) {
  const chosen = getSelection();
  const within = passage.contains(chosen.anchorNode) && passage.contains(chosen.focusNode);
  return within ? String(chosen).trim().slice(0, most) : "";
}

async function open(link) {
  const passage = link.closest(".passage");
  const address = new URL(link.href);
  const text = selected(passage);
  if (text) address.searchParams.set("text", text);
  const answer = await fetch(address).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = page && page.querySelector(".memory-form");
  if (!form) return location.assign(address);
  document.querySelector(".passage .memory-form")?.remove(); // one at a time: its fields have ids
  passage.append(form);
  if (!text) restore(form);
  let pressed = false; // the key that opened the form does not send it
  form.addEventListener("keydown", (event) => { pressed = !event.repeat; });
  form.addEventListener("keypress", (event) => {
    if (event.key === "Enter" && !pressed) event.preventDefault();
  });
  form.elements.title.focus();
}

function close(form) {
  const link = form.closest(".passage").querySelector(".keep");
  form.remove();
  document.getElementById("draft").hidden = true;
  link.focus();
}

export function keep() {
  document.addEventListener("toggle", ({ target }) => { // why it asked takes a while to find out
    const link = target.id === "why-asked" && target.open && target.querySelector("#why > p:only-child > a");
    if (link) load(link.href, "why");
  }, true);
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest(".keep")) event.preventDefault(); // it would end the selection
  });
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const link = event.target.closest(".passage .keep");
    const cancel = event.target.closest(".passage .memory-form a.quiet");
    if (!link && !cancel) return;
    event.preventDefault();
    if (link) open(link);
    else close(cancel.closest("form"));
  });
}
