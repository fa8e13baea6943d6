// The pages work without scripts. The modules make them quicker to use.
import { keys } from "./keys.js";
import { search } from "./search.js";
import { live } from "./live.js";
import { forms } from "./forms.js";
import { drafts } from "./drafts.js";
import { settings } from "./settings.js";
import { why } from "./why.js";
import { checks } from "./checks.js";
import { palette } from "./palette.js";
import { edit } from "./edit.js";
import { keep } from "./keep.js";

document.documentElement.classList.add("scripted");
for (const start of [keys, palette, search, forms, drafts, edit, keep, settings, why, checks, live]) start();

// What a page says from its beginning is not read out; what comes later is.
const told = [...document.querySelectorAll("main > .notice > p")].map((line) => line.textContent).join(" ");
if (told) document.getElementById("announced").textContent = told;
