/** The files of `passes/` as texts, and the types for them in the page's editor. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/root.mjs";

const folder = join(root, "passes");

// What a pass can use in addition to the language itself.
const GLOBALS = `/** What is printed is a step of the trace. */
declare const console: { log(...values: readonly unknown[]): void };
`;

/** By their names without the ending. */
export function passFiles(): string {
  const text = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [name.slice(0, -3), { solution: text(join(folder, name)), exercise: text(join(folder, "exercises", name)) }]);
  return `export const PASS_FILES: Readonly<Record<string, { readonly solution: string; readonly exercise: string | null }>> = ${JSON.stringify(Object.fromEntries(files))};\n`;
}

/** The type file of `oriscope/pass` as the declaration of a module that nothing has to be installed for. */
export function passTypes(): string {
  const types = readFileSync(join(root, "src/features/ownpass/engine/api/api.ts"), "utf8").replaceAll(/^export declare /gm, "export ");
  return `export const PASS_TYPES: string = ${JSON.stringify(`declare module "oriscope/pass" {\n${types}}\n\n${GLOBALS}`)};\n`;
}
