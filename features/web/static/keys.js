// Keys; ? lists them. What a key does on a row of a list stands at a link or a button of the row.
const { base } = document.body.dataset;
const rows = () => [...document.querySelectorAll(".row")];
const selected = () => document.querySelector(".row.selected");

function mark(row) {
  selected()?.classList.remove("selected");
  row.classList.add("selected");
}

// begin selects the row that the address names, and shows it, or the first that waits for an answer, which on a narrow
// page is below the story.
export function begin() {
  const named = document.getElementById(location.hash.slice(1));
  const row = named ?? document.querySelector("#needs .row, #new .row");
  if (row?.matches(".row") && !selected()) {
    mark(row);
    if (named) row.scrollIntoView({ block: "nearest" });
  }
}

function select(step) {
  const list = rows();
  if (list.length === 0) return;
  const next = list[Math.min(Math.max(list.indexOf(selected()) + step, 0), list.length - 1)];
  mark(next);
  next.querySelector("a, [tabindex]")?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function find() {
  const field = document.getElementById("q");
  if (field) field.select();
  else location.assign(base + "/memories");
}

const go = (page) => () => () => location.assign(`${base}/${page}`);
const click = (selector) => () => {
  const button = document.querySelector(selector);
  return button && (() => button.click());
};
const step = (by) => () => rows().length > 0 && (() => select(by));

function edit() {
  const link = selected()?.querySelector("h2 a, h3 a");
  return click("#edit")() ?? (link && (() => location.assign(link.href + "/edit")));
}

function reason() {
  const field = document.getElementById("reason");
  return field && (() => field.focus());
}

// What a key does is looked up when it is pressed: it may do nothing on this page.
const acts = {
  "/": () => find, j: step(1), k: step(-1), e: edit, r: reason, u: click("#undo"),
  t: go("today"), l: go("memories"), w: go("why"), h: go("health"), n: go("new"),
  "[": click("a[rel=prev]"), "]": click("a[rel=next]"),
  "?": () => () => document.getElementById("keys").showModal(),
};

// actOf returns what a key does on this page now, nothing if it does nothing.
export const actOf = (key) => click(`.row.selected [data-key="${CSS.escape(key)}"]`)() || acts[key]?.();

export function keys() {
  document.getElementById("help").addEventListener("click", () => actOf("?")());
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return event.target.form?.requestSubmit();
    if (event.key === "Escape" && typing) return event.target.blur();
    if (event.key === "ArrowDown" && event.target.id === "q") select(1);
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = actOf(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
  begin();
}
