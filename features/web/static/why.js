// The slider shows at once what another value of min_strength would change.
import { later, load } from "./load.js";

export function why() {
  const form = document.getElementById("why");
  if (!form) return;
  const show = later(() => {
    history.replaceState(null, "", location.pathname + "?" + new URLSearchParams(new FormData(form)));
    load(location.href, "explanation");
  }, 120);
  form.addEventListener("input", () => {
    const output = document.getElementById("strength");
    if (output) output.value = Number(form.min_strength.value).toFixed(3);
    show();
  });
}
