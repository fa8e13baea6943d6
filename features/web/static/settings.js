// A search among the settings.
export function settings() {
  const form = document.getElementById("settings");
  if (!form) return;
  const field = document.getElementById("q");
  field.closest(".search").hidden = false;
  field.addEventListener("input", (event) => {
    event.stopPropagation(); // it is no setting
    const words = field.value.toLowerCase().split(/\s+/);
    for (const setting of form.querySelectorAll(".setting")) {
      const text = setting.textContent.toLowerCase();
      setting.hidden = !words.every((word) => text.includes(word));
    }
    for (const section of form.querySelectorAll(".section")) section.hidden = !section.querySelector(".setting:not([hidden])");
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
}
