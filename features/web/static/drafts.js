// What was typed into a form stays in the tab until it is saved or discarded: the page may be
// loaded again, and the server may end.
import { grow } from "./forms.js";
import { lost, stop } from "./load.js";

const { base, saved } = document.body.dataset;
const changed = new Set(); // forms with something typed

let sending = false;

// typed reports whether a form of the page has something that was typed, or is being sent.
export const typed = () => sending || [...changed].some((form) => form.isConnected);

const keyOf = (form) => {
  const url = new URL(form.getAttribute("action") || location.href, location.href);
  url.searchParams.delete("note");
  return "draft " + url.pathname.slice(base.length) + url.search;
};
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.name !== "form_token" && !/button|submit|file/.test(field.type));
const differs = (field) => {
  if (field.type === "hidden") return false;
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.options) return field.selectedOptions[0] !== ([...field.options].find((option) => option.defaultSelected) ?? field.options[0]);
  return field.value !== field.defaultValue;
};
const valueOf = (field) => (field.type === "checkbox" ? field.checked : field.value);

function keep(form) {
  if (!fieldsOf(form).some(differs)) {
    changed.delete(form);
    return sessionStorage.removeItem(keyOf(form));
  }
  changed.add(form);
  sessionStorage.setItem(keyOf(form), JSON.stringify(fieldsOf(form).map((field) => [field.name, valueOf(field)])));
}

// restore fills a form with what was typed into it before.
export function restore(form) {
  const draft = sessionStorage.getItem(keyOf(form));
  if (!draft || "sent" in form.dataset) return; // the server shows what was sent
  for (const [name, value] of JSON.parse(draft)) {
    const field = form.elements[name] ?? grow(form, name);
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value;
    else field.value = value;
  }
  keep(form);
  document.getElementById("draft").hidden = !changed.has(form);
}

const forms = () => document.querySelectorAll("form[method=post]");

// discard asks once more before it discards what was typed.
function discard(event) {
  const { sure } = event.target.dataset;
  if (sure) {
    event.target.textContent = sure;
    delete event.target.dataset.sure;
    return;
  }
  for (const form of forms()) sessionStorage.removeItem(keyOf(form));
  location.reload();
}

// send sends a form if the server is still there.
async function send(event) {
  const form = event.target;
  if (form.method !== "post" || form.dataset.sending) return delete form.dataset.sending;
  event.preventDefault();
  sending = true;
  stop();
  const answer = await fetch(base + "/alive").catch(() => null);
  sending = answer?.ok;
  lost(!answer?.ok);
  if (!answer?.ok) return;
  sessionStorage.setItem("sent", keyOf(form));
  form.dataset.sending = "now";
  form.requestSubmit(event.submitter);
}

export function drafts() {
  const sent = sessionStorage.getItem("sent");
  sessionStorage.removeItem("sent");
  if (sent && saved !== undefined) sessionStorage.removeItem(sent);
  document.addEventListener("input", (event) => {
    if (event.target.form?.method !== "post") return;
    keep(event.target.form);
    stop("main"); // a refresh that began before would lose it
  });
  document.addEventListener("submit", send);
  document.querySelector("#draft button").addEventListener("click", discard);
  for (const form of forms()) restore(form);
}
