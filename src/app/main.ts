/** The entry: starts the engine, which has the longest way to go, and then loads all that is seen. Kept small, so that it is there first. */
import { spawnEngine } from "../worker/spawn.ts";
import { readStored } from "./share/saved-work.ts";

const engine = spawnEngine();
const stored = readStored();

import("./page.tsx").then(
  ({ startPage }) => startPage(engine, stored),
  (error: unknown) => {
    const root = document.getElementById("root");
    if (root !== null)
      root.textContent = `Oriscope could not be loaded: ${error instanceof Error ? error.message : String(error)}. Reload the page to try again.`;
  },
);
