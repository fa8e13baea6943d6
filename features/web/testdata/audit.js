// Returns what is wrong with the page for people who see little or use no mouse: contrast
// (WCAG 2.1, 1.4.3), names of what can be operated, structure, and a page that is too wide.
(() => {
  const problems = [];
  const say = (what, element) => problems.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".hidden");

  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if ((channels(color)[3] ?? 1) === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const contrast = (element) => {
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(background(element))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !shown(element) || element.closest("svg, option")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = contrast(element);
    if (ratio < (large ? 3 : 4.5)) say(`contrast ${ratio.toFixed(2)}`, element);
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const name = field.getAttribute("aria-label") || [...field.labels].map((label) => label.textContent).join("");
    if (!name.trim()) say("no label", field);
    const edge = [luminance(getComputedStyle(field).borderTopColor), luminance(background(field.parentElement))].sort((x, y) => y - x);
    if (!/range|checkbox/.test(field.type) && (edge[0] + 0.05) / (edge[1] + 0.05) < 3) say("edge of too little contrast", field);
  }
  for (const element of document.querySelectorAll("a, button")) {
    if (shown(element) && !(element.getAttribute("aria-label") || element.textContent).trim()) say("no name", element);
  }
  for (const element of document.querySelectorAll("[aria-describedby]")) {
    for (const id of element.getAttribute("aria-describedby").split(" ")) if (!document.getElementById(id)) say(`describedby ${id}`, element);
  }
  for (const element of document.querySelectorAll("[role=img]")) if (!element.getAttribute("aria-label")) say("no text", element);
  for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) say("tabindex", element);
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) say("id is there twice", element);
    ids.add(element.id);
  }
  if (document.querySelectorAll("h1").length !== 1) problems.push(`${document.querySelectorAll("h1").length} h1`);
  let level = 1;
  for (const heading of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) say(`h${next} after h${level}`, heading);
    level = next;
  }
  if (!document.documentElement.lang) problems.push("no language");
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`${document.documentElement.scrollWidth} pixels wide in ${innerWidth}`);
  return problems;
})()
