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
  let shown = address();
  const show = async (query = address()) => {
    history.replaceState(null, "", location.pathname + query);
    const done = await load(location.href, "results", "facets");
    if (done === "shown") {
      shown = query;
      document.getElementById("announced").textContent = document.getElementById("found").textContent;
    }
    if (done === "lost") document.getElementById("results").replaceChildren(); // they answer another query
    return done;
  };
  const open = async () => {
    while (address() !== shown) {
      if (["lost", "gone"].includes(await show())) return;
    }
    document.querySelector(".row a")?.click();
  };
  const clear = () => {
    form.q.value = "";
    if (location.search) show("");
  };
  form.q.addEventListener("input", later(() => address() === shown || show(), 60));
  form.q.addEventListener("keydown", (event) => {
    if (event.key === "Escape") clear();
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (document.activeElement === form.q) open(); // by enter
    else location.assign(location.pathname + address());
  });
}
