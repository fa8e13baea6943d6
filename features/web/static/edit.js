// A memory is edited where it is read: its form takes the place of the text until it is saved or cancelled. Without
// scripts the form is a page of its own.
import { restore } from "./drafts.js";
import { showAdding } from "./forms.js";

const mark = "#edit"; // in the address, so that the form is there again after the page is loaded again
const address = (hash) => history.replaceState(null, "", location.pathname + location.search + hash);

async function begin(link) {
  const answer = await fetch(link.href).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = page && page.querySelector(".memory-form");
  const memory = document.querySelector(".memory");
  if (!form) return location.assign(link.href);
  if (!memory || memory.matches(".editing")) return; // it was asked for twice
  memory.classList.add("editing");
  memory.querySelector("header").after(form);
  showAdding(form);
  restore(form);
  address(mark);
  form.querySelector("input:not([type=hidden]), textarea").focus();
}

function cancel(event) {
  const form = event.target.closest(".memory.editing .memory-form");
  if (!form || !event.target.closest("a.quiet")) return;
  event.preventDefault();
  form.remove();
  document.getElementById("draft").hidden = true;
  document.querySelector(".memory").classList.remove("editing");
  address("");
  document.getElementById("edit").focus();
}

export function edit() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".memory #edit");
    if (!link || event.ctrlKey || event.metaKey) return cancel(event);
    event.preventDefault();
    begin(link);
  });
  const link = document.querySelector(".memory #edit");
  if (link && location.hash === mark) begin(link);
}
