// Lists of a form grow by a button.
export function forms() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".add");
    if (button) add(button.closest(".list")).focus();
  });
  showAdding(document);
}

// showAdding shows the buttons that need scripts.
export function showAdding(part) {
  for (const button of part.querySelectorAll(".add")) button.hidden = false;
}

// grow makes lists longer until a form has a field with a name, and returns that.
export function grow(form, name) {
  const list = [...form.querySelectorAll(".list")].findLast((list) => name.startsWith(list.dataset.name + "."));
  for (let i = 0; list && i < 500 && !form.elements[name]; i++) add(list);
  return form.elements[name];
}

// add adds an entry to a list and returns its first field.
function add(list) {
  const entries = list.querySelectorAll(":scope > .entry");
  const last = entries[entries.length - 1];
  const fresh = last.cloneNode(true);
  const place = (name, at) => `${list.dataset.name}.${at}` + name.slice(`${list.dataset.name}.${entries.length - 1}`.length);
  for (const wrong of fresh.querySelectorAll(".wrong")) wrong.remove();
  for (const field of fresh.querySelectorAll("[name]")) {
    const name = place(field.name, entries.length);
    const id = "f-" + name.replaceAll(".", "-");
    fresh.querySelector(`label[for="${CSS.escape(field.id)}"]`)?.setAttribute("for", id);
    field.name = name;
    field.id = id;
    field.value = "";
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
  last.after(fresh);
  return fresh.querySelector("[name]");
}
