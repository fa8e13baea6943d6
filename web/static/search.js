// Search as you type.
import { later, load } from "./load.js";

export function search() {
  const form = document.getElementById("filters");
  if (!form) return;
  const facets = form.querySelector(".facets");
  if (matchMedia("(max-width: 48rem)").matches) facets.open = false;

  const address = () => {
    const values = new URLSearchParams(new FormData(form));
    for (const [name, value] of [...values]) {
      if (value === "" || form[name].selectedIndex === 0) values.delete(name); // the default
    }
    return "?" + values;
  };
  const show = async () => {
    history.replaceState(null, "", location.pathname + address());
    const alone = new URL(location.href);
    alone.searchParams.set("results", "");
    const done = await load(location.search.includes("q=") ? alone.href : location.href, "results");
    if (done === "lost") document.getElementById("results").replaceChildren(); // they answer another query
  };
  form.q.addEventListener("input", later(show, 60));
  for (const select of form.querySelectorAll("select")) select.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(location.pathname + address());
  });
}
