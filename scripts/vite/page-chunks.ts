/**
 * Chooses the chunk for each module of the page. Modules that always load share a few chunks, since each chunk is a request. By default the bundler makes one
 * for every set of modules that is also needed by something loaded later: 35 of less than 3 kB.
 */
import { join } from "node:path";
import { root } from "../lib/root.mjs";

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

const FILES = ["main.ts", "page.tsx", "embed-page.tsx", "graph/graph-pane.tsx"];

/** A function from a module to its file's name; null: the bundler decides. */
export function pageChunks(): (id: string, modules: Modules) => string | null {
  let needs: readonly ReadonlySet<string>[] | null = null;
  return (id, modules) => {
    needs ??= FILES.map((file) => closure(join(root, "src", "app", file).replaceAll("\\", "/"), modules));
    const [entry, page, embedded, graph] = needs;
    // The entry is there before everything else.
    if (entry?.has(id) === true || page?.has(id) !== true) return null;
    // A frame in another page has the graph, and nothing that is only the page's.
    return embedded?.has(id) === true || graph?.has(id) === true ? "start" : "page";
  };
}

/** A module and all that it imports statically. */
function closure(start: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([start]);
  // A set's iteration also visits what is added meanwhile.
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}
