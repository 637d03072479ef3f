/** A plugin for Rolldown and Vite: `virtual:pass-types` is the type file of `oriscope/pass` as an editor reads it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const resolved = "\0virtual:pass-types";
const file = join(root, "src", "engine", "ownpass", "api.ts");

// What a pass finds beside the language itself.
const GLOBALS = `/** What is printed is a step of the trace. */
declare const console: { log(...values: readonly unknown[]): void };
`;

/** @returns {import("rolldown").Plugin} */
export function passTypesPlugin() {
  return {
    name: "oriscope:pass-types",
    resolveId: { filter: { id: /^virtual:pass-types$/ }, handler: () => resolved },
    load: {
      filter: { id: /virtual:pass-types$/ },
      handler() {
        this.addWatchFile(file);
        return `export const PASS_TYPES = ${JSON.stringify(ambientTypes(readFileSync(file, "utf8")))};`;
      },
    },
  };
}

/**
 * The type file as the declaration of a module that nothing has to be installed for.
 * @param {string} text
 */
function ambientTypes(text) {
  return `declare module "oriscope/pass" {\n${text.replaceAll(/^export declare /gm, "export ")}}\n\n${GLOBALS}`;
}
