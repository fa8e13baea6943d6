// Keys: / search, j and k move in a list, enter opens, e edits.
export function keys() {
  const rows = () => [...document.querySelectorAll(".row")];
  const selected = () => document.querySelector(".row.selected");

  const select = (step) => {
    const list = rows();
    if (list.length === 0) return;
    const at = list.indexOf(selected());
    const next = list[Math.min(Math.max(at + step, 0), list.length - 1)];
    selected()?.classList.remove("selected");
    next.classList.add("selected");
    next.querySelector("a").focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  const find = () => {
    const field = document.getElementById("q");
    if (field) field.select();
    else location.assign(document.body.dataset.base + "/memories");
  };

  const edit = () => {
    const link = selected()?.querySelector("h2 a, h3 a");
    const button = document.getElementById("edit");
    if (button) button.click();
    else if (link) location.assign(link.href + "/edit");
  };

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape" && typing) return event.target.blur();
    if (event.key === "ArrowDown" && event.target.id === "q") select(1);
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      "/": find,
      j: () => select(1),
      k: () => select(-1),
      e: edit,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
