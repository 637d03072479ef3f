/**
 * Writes the modules of `src` that are made from other files, each as `NAME.generated.ts` next to its importer. They are not committed: what
 * reads them runs this first. A file is written only if its text has changed, and removed if it is no longer generated.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../lib/root.mjs";
import { course } from "./course.ts";
import { firstAnswers } from "./first-answers.ts";
import { passFiles, passTypes } from "./passes.ts";
import { ruleSourceModules } from "./rule-sources.ts";
import { guestScript, passEngine, passWorker, player } from "./scripts.ts";

type Module = readonly [path: string, text: () => string | Promise<string>];

/** In this order: the worker has the engine and the guest in it, the first answers come from all of the engine. */
const modules = (): readonly Module[] => [
  ["src/features/ownpass/box/engine.generated.ts", passEngine],
  ["src/features/ownpass/box/guest.generated.ts", guestScript],
  ["src/features/ownpass/engine/check/worker.generated.ts", passWorker],
  ["src/features/ownpass/engine/check/templates.generated.ts", passFiles],
  ["src/features/publish/engine/html/player.generated.ts", player],
  ["src/features/labs/page/course.generated.ts", course],
  ["src/features/ownpass/page/editor/pass-types.generated.ts", passTypes],
  ...ruleSourceModules(),
];

const FIRST_ANSWERS = "src/app/first-answers.generated.ts";

/** `built`: for a build of the page, the only one that reads the first answers. Otherwise they are made only where there are none, for the types. Whether anything was written or removed. */
export async function generate({ built = false } = {}): Promise<boolean> {
  const made = new Set([FIRST_ANSWERS]);
  let changed = false;
  for (const [path, text] of modules()) {
    made.add(path);
    if (write(join(root, path), await text())) changed = true;
  }
  if (built || !existsSync(join(root, FIRST_ANSWERS))) changed = write(join(root, FIRST_ANSWERS), await firstAnswers()) || changed;
  for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
    const path = `src/${name.replaceAll("\\", "/")}`;
    if (!path.endsWith(".generated.ts") || made.has(path)) continue;
    rmSync(join(root, path), { force: true });
    changed = true;
  }
  return changed;
}

/** In one go: another process that reads the file sees the old or the new one, never half. */
function write(path: string, text: string): boolean {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
  return true;
}
