// Pages refresh themselves when files change, unless something is being typed. They notice
// that the server has ended, and that another one has taken its place.
import { typed } from "./drafts.js";
import { checks } from "./checks.js";
import { load, lost } from "./load.js";

export function live() {
  const { base, told } = document.body.dataset;
  const show = (id) => { document.getElementById(id).hidden = false; };
  const refresh = async () => {
    const part = document.getElementById("results") ? "results" : "main";
    const busy = typed() || (part === "main" && document.querySelector("main form:not([method=post]), .memory-form, #settings[data-sent], #settings #q:not(:placeholder-shown), #health"));
    const done = busy || (await load(location.href, part));
    if (done === "shown") checks();
    if (busy || done === "gone" || (done === "late" && typed())) show("changed");
  };
  const events = new EventSource(`${base}/events?since=${told}`);
  events.addEventListener("changed", refresh);
  events.addEventListener("open", () => lost(false));
  events.addEventListener("error", () => lost(true));
  addEventListener("pagehide", () => events.close());

  // The pages of the next server are below another folder.
  const tabs = new BroadcastChannel("memctl");
  tabs.postMessage(base);
  tabs.addEventListener("message", ({ data }) => {
    if (data === base || document.getElementById("lost").hidden) return;
    lost(false);
    show("again");
    document.querySelector("#again a").href = data + location.pathname.slice(base.length) + location.search + location.hash;
  });
}
