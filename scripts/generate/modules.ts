/**
 * Writes the modules of `src` that are made from other files, each as `NAME.generated.ts` beside what imports it. They are not committed: Vite, Vitest, the types and
 * the command's bundle begin with this. A file is written only if its text has changed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/root.mjs";
import { course } from "./course.ts";
import { firstAnswers } from "./first-answers.ts";
import { passFiles, passTypes } from "./passes.ts";
import { ruleSourceModules } from "./rule-sources.ts";
import { guestScript, passEngine, passWorker, player } from "./scripts.ts";

type Module = readonly [path: string, text: () => string | Promise<string>];

/** In this order: the worker has the engine and the guest in it, the first answers come from all of the engine. */
const MODULES: readonly Module[] = [
  ["src/box/engine.generated.ts", passEngine],
  ["src/box/guest.generated.ts", guestScript],
  ["src/ownpass/worker.generated.ts", passWorker],
  ["src/ownpass/templates.generated.ts", passFiles],
  ["src/publish/html/player.generated.ts", player],
  ["src/app/labs/course.generated.ts", course],
  ["src/app/ownpass/editor/pass-types.generated.ts", passTypes],
  ...ruleSourceModules(),
];

const FIRST_ANSWERS = join(root, "src/app/first-answers.generated.ts");

/** `built`: for a build of the page, the only one that reads the first answers. Otherwise they are made only where there are none, for the types. */
export async function generate({ built = false } = {}): Promise<void> {
  for (const [path, text] of MODULES) write(join(root, path), await text());
  if (built || !existsSync(FIRST_ANSWERS)) write(FIRST_ANSWERS, await firstAnswers());
}

function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
