// What takes a moment comes after the page: the checks of doctor, what needs a person, what happened around a memory,
// and the verdict in the menu.
import { load } from "./load.js";

export async function checks() {
  const part = document.querySelector("main [data-load]");
  const menu = document.querySelector("#menu[data-load]");
  if (part) await load(part.dataset.load, part.id, "menu");
  else if (menu) await load(menu.dataset.load, "menu");
}
