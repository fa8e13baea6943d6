// Search as you type: the results, and what the filters count, are those of the box.
import { later, load } from "./load.js";

export function search() {
  const form = document.getElementById("filters");
  if (!form) return;
  if (matchMedia("(max-width: 48rem)").matches) document.getElementById("facets").open = false;

  const address = () => {
    const values = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...values]) {
      if (value === "" || form[name].selectedIndex === 0) values.delete(name); // the default
    }
    return "?" + values;
  };
  let asked = address(); // the query of the results that are here or on their way
  let here = true;
  let opening = false; // enter opens the first result, once it is here

  const show = async (query = address()) => {
    if (query !== asked) {
      asked = query;
      here = false;
      history.replaceState(null, "", location.pathname + (query === "?" ? "" : query));
      const done = await load(location.href, "results", "facets");
      if (query !== asked) return; // a later search goes on
      here = done === "shown";
      if (here) document.getElementById("announced").textContent = document.getElementById("found").textContent;
      else asked = null;
      if (done === "lost") document.getElementById("results").replaceChildren(); // they answer another query
      if (done === "late" && opening) return show(); // a refresh of the page came between
    }
    if (here && opening) document.querySelector(".row a")?.click();
    if (here || asked === null) opening = false;
  };
  const showLater = later(() => show(), 60);
  form.q.addEventListener("input", () => {
    opening = false;
    showLater();
  });
  form.q.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    form.q.value = "";
    if (location.search) show("?");
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (document.activeElement !== form.q) return location.assign(location.pathname + address());
    opening = true; // by enter
    show();
  });
}
