// The settings: a search among them, and the one that an address names is opened. The page may refresh itself.
const part = (id) => document.getElementById(id);
const focus = (setting) => setting?.querySelector("select, input:not([type=hidden]), summary")?.focus({ preventScroll: true });

let wasOpen; // the list of the others, before something was typed

function find() {
  const words = part("q").value.toLowerCase().split(/\s+/).filter(Boolean);
  const typed = words.length > 0;
  let n = 0;
  for (const setting of document.querySelectorAll(".setting")) {
    const text = (setting.textContent + " " + setting.dataset.words).toLowerCase();
    setting.hidden = !words.every((word) => text.includes(word));
    if (!setting.hidden) n++;
  }
  for (const list of document.querySelectorAll("#settings .section, #more")) list.hidden = typed && !list.querySelector(".setting:not([hidden])");
  wasOpen ??= part("more").open;
  part("more").open = typed || wasOpen;
  if (!typed) wasOpen = undefined;
  const found = part("settings-found");
  found.textContent = typed ? found.dataset.found + " " + n : "";
}

function named() {
  const setting = part(location.hash.slice(1))?.closest(".setting");
  if (!setting) return null;
  if (part("more").contains(setting)) part("more").open = true;
  setting.scrollIntoView({ block: "center" });
  return setting;
}

export function settings() {
  if (!part("settings")) return;
  document.addEventListener("input", ({ target }) => {
    if (target.id === "q") find();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "q" || event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const first = document.querySelector(".setting:not([hidden])");
    first?.scrollIntoView({ block: "center" });
    focus(first);
  });
  addEventListener("hashchange", () => {
    if (part("q").value) {
      part("q").value = "";
      find();
    }
    focus(named());
  });
  const setting = named();
  if (part("undo")) return; // u would be typed into the field
  // The browser takes the focus away once more when it has shown the page.
  addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => focus(setting))));
}
