#!/usr/bin/env node
// Starts memctl, which is in the package for this system.
"use strict";

const { spawnSync } = require("child_process");

const name = `@memctl/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "memctl.exe" : "memctl";

let path;
try {
  path = require.resolve(`${name}/bin/${program}`);
} catch {
  console.error(`memctl: error: the package ${name} is not installed`);
  console.error(
    "memctl: hint: npm leaves it out with --omit=optional, and there is none for every system; the other ways to install memctl need no npm"
  );
  process.exit(1);
}

const done = spawnSync(path, process.argv.slice(2), {
  stdio: "inherit",
  env: { ...process.env, MEMCTL_LAUNCHER: __filename },
});
if (done.error) {
  console.error(`memctl: error: ${done.error.message}`);
  process.exit(1);
}
if (done.signal) {
  process.kill(process.pid, done.signal);
}
process.exit(done.status);
