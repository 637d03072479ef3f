/** A plugin for Rolldown and Vite: `virtual:pass-templates` holds the text of each pass in `passes/`, and of its exercise where it has one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const resolved = "\0virtual:pass-templates";
const folder = join(root, "passes");

/** @returns {import("rolldown").Plugin} */
export function templatesPlugin() {
  return {
    name: "oriscope:pass-templates",
    resolveId: { filter: { id: /^virtual:pass-templates$/ }, handler: () => resolved },
    load: {
      filter: { id: /virtual:pass-templates$/ },
      handler() {
        /** @type {(path: string) => string | null} */
        const text = (path) => {
          if (!existsSync(path)) return null;
          this.addWatchFile(path);
          return readFileSync(path, "utf8");
        };
        const files = readdirSync(folder)
          .filter((name) => name.endsWith(".ts"))
          .map((name) => [name.slice(0, -3), { solution: text(join(folder, name)), exercise: text(join(folder, "exercises", name)) }]);
        return `export const PASS_FILES = ${JSON.stringify(Object.fromEntries(files))};`;
      },
    },
  };
}
