// The settings: a search among them, and the one that an address names is opened.
export function settings() {
  const form = document.getElementById("settings");
  if (!form) return;
  const more = document.getElementById("more");
  const field = document.getElementById("q");
  const found = document.getElementById("settings-found");
  const focus = (part) => part?.querySelector("select, input:not([type=hidden]), summary")?.focus({ preventScroll: true });

  const named = () => {
    const setting = form.querySelector(".setting:target");
    if (!setting) return;
    if (more.contains(setting)) more.open = true;
    setting.scrollIntoView({ block: "center" });
    if (!("saved" in document.body.dataset)) focus(setting); // after a change the keys are those of the page, such as u
  };
  addEventListener("hashchange", () => {
    if (field.value) {
      field.value = "";
      find();
    }
    named();
  });

  let wasOpen; // before something was typed
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const typed = words.length > 0;
    let n = 0;
    for (const setting of form.querySelectorAll(".setting")) {
      const text = (setting.textContent + " " + setting.dataset.words).toLowerCase();
      setting.hidden = !words.every((word) => text.includes(word));
      if (!setting.hidden) n++;
    }
    const none = (part) => typed && !part.querySelector(".setting:not([hidden])");
    for (const section of form.querySelectorAll(".section")) section.hidden = none(section);
    more.hidden = none(more);
    wasOpen ??= more.open;
    more.open = typed || wasOpen;
    if (!typed) wasOpen = undefined;
    found.textContent = typed ? found.dataset.found + " " + n : "";
  };
  field.closest(".search").hidden = false;
  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no setting
    find();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const first = form.querySelector(".setting:not([hidden])");
    focus(first);
    first?.scrollIntoView({ block: "center" });
  });
  named();
}
