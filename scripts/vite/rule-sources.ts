/** A plugin: `virtual:rule-sources` has, for each family of passes, its sources with the places of its rules, each a file that is loaded when it is asked for. */
import { join } from "node:path";
import type { Plugin } from "vite";
import { root } from "../lib/root.mjs";
import { ruleFamilies, ruleSources } from "../lib/rule-sources.mjs";

const ALL = "virtual:rule-sources";

export function ruleSourcesPlugin(): Plugin {
  return {
    name: "oriscope:rule-sources",
    resolveId: { filter: { id: /^virtual:rule-sources/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /virtual:rule-sources/ },
      handler(id) {
        const family = id.slice(`\0${ALL}/`.length);
        if (family === "") {
          const entries = ruleFamilies().map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${ALL}/${name}`)})`);
          return `export const SOURCES = { ${entries.join(", ")} };`;
        }
        const sources = ruleSources(family);
        for (const { path } of sources.files) this.addWatchFile(join(root, path));
        // Parsed as data: much faster than a literal of this size.
        return `export const sources = JSON.parse(${JSON.stringify(JSON.stringify(sources))});`;
      },
    },
  };
}
