/** A plugin for Vite: `virtual:course` lists the labs of `labs/` with what their front matter says; a lab's text is a chunk of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./root.mjs";

const resolved = "\0virtual:course";
const folder = join(root, "labs");

/** @returns {import("rolldown").Plugin} */
export function coursePlugin() {
  return {
    name: "oriscope:course",
    resolveId: { filter: { id: /^virtual:course$/ }, handler: () => resolved },
    load: {
      filter: { id: /virtual:course$/ },
      handler() {
        const files = readdirSync(folder)
          .filter((name) => name.endsWith(".md"))
          .sort();
        const rows = files.map((name) => {
          const path = join(folder, name);
          this.addWatchFile(path);
          const [, front = ""] = /^---\n([\s\S]*?)\n---/.exec(readFileSync(path, "utf8")) ?? [];
          const { id, title, minutes = null, level = null, objectives = [] } = parse(front);
          const row = { file: name, id: String(id), title: String(title), minutes, level, objectives };
          return `{ ...${JSON.stringify(row)}, load: async () => (await import(${JSON.stringify(`${path}?raw`)})).default }`;
        });
        return `export const COURSE = [\n${rows.join(",\n")}\n];`;
      },
    },
  };
}
