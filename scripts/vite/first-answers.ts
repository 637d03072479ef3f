/** A plugin: `virtual:first-answers` has what a first visit asks of the engine, with the answers of the engine that is built with the page, and its drawing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { bundleTs } from "../lib/bundle-ts.mjs";
import { cache, root } from "../lib/root.mjs";

const ID = "virtual:first-answers";

/** A text of the page as a module, as Vite has it. */
const raw = {
  name: "oriscope:raw",
  load: {
    filter: { id: /\?raw$/ },
    handler: (id: string) => `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`,
  },
};

export function firstAnswers(): Plugin {
  let built = false;
  return {
    name: "oriscope:first-answers",
    configResolved: ({ command }) => {
      built = command === "build";
    },
    resolveId: { filter: { id: new RegExp(`^${ID}$`) }, handler: () => `\0${ID}` },
    load: {
      filter: { id: new RegExp(`${ID}$`) },
      async handler() {
        // The development server's engine changes while it runs: there the engine itself is asked.
        if (!built) return "export const FIRST_ANSWERS = [], FIRST_DRAWING = null;";
        const bundle = await bundleTs(join(root, "scripts", "vite", "record-first-answers.ts"), join(cache, "first-answers"), [raw]);
        const { recordFirstAnswers }: typeof import("./record-first-answers.ts") = await import(pathToFileURL(bundle).href);
        const { answers, drawing } = await recordFirstAnswers();
        return `export const FIRST_ANSWERS = ${source(answers)}, FIRST_DRAWING = ${source(drawing)};`;
      },
    },
  };
}

/** A plain value as an expression: JSON, and arrays of numbers by their types. */
function source(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `new ${value.constructor.name}([${(value as Uint8Array).join()}])`;
  if (Array.isArray(value)) return `[${value.map(source).join()}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`an answer has a ${value.constructor.name}: write it out here`);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${source(each)}`)
    .join()}}`;
}
