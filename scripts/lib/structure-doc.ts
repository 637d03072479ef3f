/** Draws the actual dependencies between folders: what the rules allow is in `layers.ts`. */

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "rolldown/utils";
import { engineRooms, importsOf } from "./layers.ts";
import { root } from "./root.mjs";

/** The folders of the engine. */
export const engineGraph = (): string => graphOf("src/engine", engineRooms);

/** The layers, without `base`, which all of them import, and without the lists of features, by which the core knows them. */
export function layerGraph(): string {
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== "base");
  return graphOf("src", folders.map(({ name }) => name).sort());
}

/** A Mermaid graph of the folders in `parent`. An arrow that follows from others is omitted. */
function graphOf(parent: string, folders: readonly string[]): string {
  const uses = new Map<string, Set<string>>(folders.map((folder) => [folder, new Set()]));
  const folderOf = (path: string): string => (path.startsWith(`${parent}/`) ? (path.slice(parent.length + 1).split("/")[0] ?? "") : "");
  for (const path of readdirSync(join(root, parent), { recursive: true, encoding: "utf8" })) {
    const file = `${parent}/${path.replaceAll("\\", "/")}`;
    if (!/(?<!\.generated)\.tsx?$/.test(file) || /\.test\.tsx?$|\/(testing|fixtures)\//.test(file)) continue;
    for (const { source } of importsOf(parseSync(file, readFileSync(join(root, file), "utf8")).program)) {
      const target = source.startsWith(".") ? posix.join(posix.dirname(file), source) : "";
      const to = /^src\/features\/[^/]+$/.test(target) ? "" : folderOf(target);
      if (to !== folderOf(file) && uses.has(to)) uses.get(folderOf(file))?.add(to);
    }
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of uses.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  const reach = new Map(folders.map((folder) => [folder, reached(folder)]));
  const arrows = folders.flatMap((folder) => {
    const direct = [...(uses.get(folder) ?? [])];
    const follows = (to: string) => direct.some((other) => other !== to && reach.get(other)?.has(to));
    return folders.filter((to) => direct.includes(to) && !follows(to)).map((to) => `  ${folder} --> ${to}`);
  });
  return ["```mermaid", "flowchart BT", ...arrows, "```", ""].join("\n");
}
