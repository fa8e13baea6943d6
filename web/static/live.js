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
    if (busy || (await load(location.href, part)) === false) document.getElementById("changed").hidden = false;
  };
  const { base, told } = document.body.dataset;
  const events = new EventSource(`${base}/events?since=${told}`);
  events.addEventListener("changed", refresh);
  addEventListener("pagehide", () => events.close());
}
