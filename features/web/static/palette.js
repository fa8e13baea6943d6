// The palette: Ctrl-K, or the button at the head of each page, leads to every page, memory, command and setting. The
// server finds them; without scripts the button leads to the page that lists them.
import { actOf } from "./keys.js";
import { lost, later } from "./load.js";

const { base } = document.body.dataset;
const dialog = document.getElementById("palette");
const field = document.getElementById("palette-words");
const list = document.getElementById("palette-list");
const here = () => location.pathname.slice(base.length) + location.search;

let asked; // the words of the places that are listed or on their way
let listed; // the words of those that are listed
let opening = false; // enter opens the first place, once it is listed
let running;

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const options = () => [...list.querySelectorAll("[role=option]")];
const chosen = () => list.querySelector("[aria-selected=true]");

function choose(option) {
  chosen()?.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", option?.id ?? "");
  option?.scrollIntoView({ block: "nearest" });
}

function move(step) {
  const all = options();
  if (all.length) choose(all[(all.indexOf(chosen()) + step + all.length) % all.length]);
}

function go(option) {
  if (!option) return;
  dialog.close();
  const { key } = option.dataset;
  if (key) actOf(key)?.();
  else location.assign(option.href);
}

// fill lists the places of a page. Keys that do nothing on this one are left out.
function fill(page) {
  const groups = [];
  let n = 0;
  for (const section of page.querySelectorAll("#places section")) {
    const found = [...section.querySelectorAll("a, button")].filter(({ dataset }) => !dataset.key || actOf(dataset.key));
    if (!found.length) continue;
    const name = section.querySelector("h2").textContent;
    const title = set(document.createElement("p"), { "aria-hidden": true });
    title.textContent = name;
    for (const option of found) set(option, { id: "place-" + n++, role: "option", tabindex: -1, "aria-selected": false });
    const group = set(document.createElement("div"), { role: "group", "aria-label": name });
    group.append(title, ...found);
    groups.push(group);
  }
  list.replaceChildren(...groups);
  list.scrollTop = 0;
  choose(options()[0]);
  document.getElementById("palette-said").textContent = page.getElementById("places-count").textContent;
}

async function show() {
  const words = field.value.trim();
  if (words !== asked) {
    asked = words;
    running?.abort();
    const control = (running = new AbortController());
    try {
      const query = new URLSearchParams({ q: words, here: here(), keys: 1 });
      const answer = await fetch(`${base}/palette?${query}`, { signal: control.signal });
      if (!answer.ok) throw new Error("another server");
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (control.signal.aborted) return; // later words go on
      fill(page);
      listed = words;
    } catch {
      if (control.signal.aborted) return;
      asked = listed = undefined;
      list.replaceChildren();
      lost(true);
    }
  }
  if (!opening || listed !== words) return;
  opening = false; // once
  go(chosen());
}
const showLater = later(show, 60);

function open() {
  document.querySelector("dialog[open]")?.close();
  field.value = "";
  asked = listed = undefined; // the keys of the page may be others by now
  opening = false;
  dialog.showModal();
  show();
}

export function palette() {
  const button = document.getElementById("to-palette");
  set(button, { role: "button", "aria-haspopup": "dialog" });
  if (/Mac|iP/.test(navigator.platform)) button.querySelector("kbd").textContent = "⌘ K";
  button.addEventListener("click", (event) => {
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  field.addEventListener("input", () => {
    opening = false;
    showLater();
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.isComposing) return;
    event.preventDefault();
    move(step);
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    opening = true;
    show();
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(option);
  });
  dialog.addEventListener("click", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y, target } = event;
    if (target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close(); // beside it
  });
}
