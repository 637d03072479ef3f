/** The questions of a first visit to the engine, with the answers of the engine built with the page, and its drawing. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleForNode } from "../lib/bundle.ts";
import { cache } from "../lib/root.mjs";

/** A text of the page as a module, as Vite has it. */
const raw = {
  name: "oriscope:raw",
  load: {
    filter: { id: /\?raw$/ },
    handler: (id: string) => `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`,
  },
};

export async function firstAnswers(): Promise<string> {
  const folder = join(cache, "first-answers", String(process.pid));
  try {
    const [bundle] = await bundleForNode("scripts/generate/record-first-answers.ts", folder, [raw]);
    const { recordFirstAnswers }: typeof import("./record-first-answers.ts") = await import(pathToFileURL(join(folder, bundle)).href);
    // Checked where it is recorded: a former file must not fail the types of today.
    const visit = `const visit: unknown = ${source(await recordFirstAnswers())};`;
    return `import type { FirstVisit } from "./start-page.tsx";\n\n${visit}\n\nexport const FIRST_VISIT = visit as FirstVisit;\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
