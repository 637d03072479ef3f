/** The entry: starts the engine, and loads all that is seen. Kept small, so that it is there first. */

import { readEmbed } from "../embed/embed-fragment.ts";
import { startLayout } from "../layout/spawn.ts";
import { type SpawnedEngine, spawnEngine } from "../worker/spawn.ts";
import { thisTab } from "./work/tab.ts";
import { openWorks } from "./work/works.ts";

// A function each: what one needs is then not fetched for the other.
const loadPage = () => import("./page.tsx");
const loadEmbedded = () => import("./embed-page.tsx");
const loadFirstVisit = async () => (await import("./first-answers.generated.ts")).FIRST_VISIT;

function start(): void {
  const kept = openWorks();
  const tab = thisTab();
  const fragment = window.location.hash.slice(1);
  // A frame in another page shows what its link says: what is kept here is not even looked for.
  const embedded = readEmbed(fragment) !== null;
  const search = embedded ? null : kept.find(tab.work());
  let engine: SpawnedEngine | null = null;
  /** `drawn`: the first drawing is known, and the layout's worker is started once it is on screen. */
  const spawned = (drawn = false): SpawnedEngine | null => {
    try {
      engine ??= spawnEngine();
      if (!drawn) startLayout();
    } catch {
      // No workers in this browser, or none allowed here.
      void say(
        "Oriscope runs its optimizer in a Web Worker, and this page may not start one. In a frame, the sandbox attribute must be absent or include allow-scripts and allow-same-origin.",
      );
    }
    return engine;
  };
  // Where nothing is kept and no link is followed, the first picture does not need the engine: the page's own scripts come before it.
  const first = search !== null && fragment === "";
  if (first) search.soon.then((found) => found !== null && spawned());
  else spawned();
  // Without them the engine answers, as it does in development: there it changes while the page is open.
  const answers = first && import.meta.env.PROD ? loadFirstVisit().catch(() => null) : null;
  Promise.all([embedded ? loadEmbedded() : loadPage(), answers, documentRead().then(stylesLoaded)]).then(
    ([{ startPage }, known]) => {
      const ready = spawned(known?.drawing != null);
      if (ready !== null) startPage(ready, { kept, tab, search }, known);
    },
    () => say("Oriscope could not be loaded: the connection failed, or the site has been updated. Reload the page; your work is kept."),
  );
}

/** This script runs as soon as it is loaded, before the end of the document if that is late. */
function documentRead(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((read) => document.addEventListener("DOMContentLoaded", () => read(), { once: true }));
}

/** The style sheets named in the document are there; when all that it names has come, they are or never will be. */
async function stylesLoaded(): Promise<void> {
  const late = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter((link) => link.sheet === null);
  if (late.length === 0 || document.readyState === "complete") return;
  const loaded = (target: EventTarget): Promise<void> =>
    new Promise((done) => target.addEventListener("load", () => done(), { once: true }));
  await Promise.race([Promise.all(late.map(loaded)), loaded(window)]);
}

async function say(sentence: string): Promise<void> {
  await documentRead();
  const root = document.getElementById("root");
  if (root === null) return;
  const words = document.createElement("p");
  words.className = "starting";
  words.setAttribute("role", "alert");
  words.textContent = sentence;
  root.replaceChildren(words);
}

/** As `public/old-browser.js` asks, which says so: this script runs in browsers that lack what the page uses, and would open a page that breaks. */
function isTooOld(): boolean {
  return !("toSorted" in Array.prototype && "CompressionStream" in window && CSS.supports("color", "color-mix(in srgb, red, blue)"));
}

if (!isTooOld()) start();
