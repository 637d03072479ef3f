/** Finds a Chromium that starts, and can install one. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./root.mjs";

/** Switches for a Chromium run by root in a container without a network. */
export const chromiumArgs = [
  ...(process.platform === "linux" ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium without windows: its pages cost half of the processor time. It is another browser where one is ended by the system. */
const SHELL = "chromium-headless-shell";
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const places = [
  "/usr/bin/chromium",
  "/usr/lib/chromium/chromium",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Path of a Chromium that answers `--version`: CHROMIUM_PATH, then PATH, then the usual places, then Playwright's own; null without one.
 * `shell`: on PATH the shell without windows first.
 */
export function findChromium({ shell = false } = {}) {
  const asked = process.env.CHROMIUM_PATH;
  if (asked !== undefined && asked !== "") {
    if (starts(asked)) return asked;
    console.error(`CHROMIUM_PATH is ${asked}, which does not start; looking for another.`);
  }
  const wanted = shell ? [SHELL, ...names] : names;
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => wanted.map((name) => join(folder, name)));
  return [...onPath, ...places, ...playwrightDownloads()].find((path) => starts(path)) ?? null;
}

/** As findChromium, but installs one when there is none. Ends the process with an explanation when that fails too. */
export function ensureChromium() {
  const found = findChromium({ shell: true });
  if (found !== null) return found;
  for (const [command, ...args] of installations()) {
    console.error(`No Chromium found; running: ${command} ${args.join(" ")}`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
    const installed = findChromium({ shell: true });
    if (installed !== null) return installed;
  }
  console.error("The browser tests need Chromium and none could be installed. Install it (Debian: apt-get install chromium)");
  console.error("or set CHROMIUM_PATH to the program of a Chromium or Chrome, then run npm test again.");
  process.exit(1);
}

/**
 * Commands worth trying in turn, each a program and its arguments.
 * @returns {[string, ...string[]][]}
 */
function installations() {
  const isRoot = process.getuid?.() === 0;
  const playwright = join(root, "node_modules", "playwright", "cli.js");
  /** @type {[string, ...string[]][]} */
  const commands = [];
  if (isRoot && existsSync("/usr/bin/apt-get")) {
    commands.push(["apt-get", "update"], ["apt-get", "install", "-y", SHELL], ["apt-get", "install", "-y", "chromium"]);
  }
  if (existsSync(playwright)) {
    const withDeps = isRoot && process.platform === "linux" ? ["--with-deps"] : [];
    commands.push([process.execPath, playwright, "install", ...withDeps, "chromium"]);
    if (withDeps.length > 0) commands.push([process.execPath, playwright, "install", "chromium"]);
  }
  return commands;
}

/** @param {string} path */
function starts(path) {
  if (!existsSync(path)) return false;
  if (process.platform === "win32") return true; // There, --version opens a window.
  return spawnSync(path, ["--version", "--no-sandbox"], { timeout: 30_000, stdio: "ignore" }).status === 0;
}

/** Programs in the folder Playwright downloads browsers to, newest first. */
function playwrightDownloads() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), playwrightCache());
  if (!existsSync(folder)) return [];
  const inside = [
    "chrome-linux64/chrome",
    "chrome-linux/chrome",
    "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    "chrome-win/chrome.exe",
  ];
  return readdirSync(folder)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
    .flatMap((name) => inside.map((path) => join(folder, name, path)));
}

function playwrightCache() {
  if (process.platform === "darwin") return "Library/Caches/ms-playwright";
  return process.platform === "win32" ? "AppData/Local/ms-playwright" : ".cache/ms-playwright";
}
