// The checks of doctor take a moment, so they come after the page, and so does their verdict in
// the menu.
import { load } from "./load.js";

export async function checks() {
  const section = document.getElementById("health");
  if (section?.dataset.load) await load(section.dataset.load, "health", "menu");
  else if (document.querySelector("#menu[data-load]")) await load(document.getElementById("menu").dataset.load, "menu");
}
