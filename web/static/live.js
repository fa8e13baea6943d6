// Pages refresh themselves when files change, unless something is being typed.
import { load } from "./load.js";

export function live() {
  let typed = false;
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("input", () => { typed = true; });
  }
  const refresh = async () => {
    const part = document.getElementById("results") ? "results" : "main";
    const busy = typed || (part === "main" && document.querySelector("main form:not([method=post]), .memory-form, #checks"));
    if (busy) document.getElementById("changed").hidden = false;
    else await load(location.href, part);
  };
  const events = new EventSource(document.body.dataset.base + "/events");
  events.addEventListener("changed", refresh);
  addEventListener("pagehide", () => events.close());
}
