/**
 * How many instructions of real code stay opaque, and which: `node scripts/run-ts.mjs bench/opaque.ts [FILE or FOLDER…]`, `.ptx` and `.sass`. Without arguments, the
 * examples that the tests import.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { importPtx } from "../src/engine/import/ptx/import.ts";
import { importSass } from "../src/engine/import/sass/import.ts";
import type { Inst } from "../src/engine/ir/types.ts";

const given = process.argv.slice(2);
const places = given.length > 0 ? given : ["src/engine/import/ptx/fixtures", "src/engine/import/sass/fixtures"];
const files = places.flatMap((place) => (statSync(place).isDirectory() ? readdirSync(place).map((name) => join(place, name)) : [place]));

count("PTX", ".ptx", importPtx);
count("SASS", ".sass", importSass);

function count(language: string, ending: string, read: typeof importPtx | typeof importSass): void {
  let all = 0;
  let opaque = 0;
  const names = new Map<string, number>();
  for (const file of files.filter((name) => name.endsWith(ending))) {
    const { functions, module } = read(readFileSync(file, "utf8"));
    for (const fn of functions) {
      all += fn.instructions;
      opaque += fn.opaque;
    }
    for (const inst of module.funcs.flatMap((fn) => fn.blocks.flatMap((block) => block?.insts ?? []))) {
      const name = opaqueName(inst);
      if (name !== null) names.set(name, (names.get(name) ?? 0) + 1);
    }
  }
  if (all === 0) return;
  console.log(`${language}: ${opaque} of ${all} instructions opaque, ${((100 * opaque) / all).toFixed(2)} %`);
  for (const [name, n] of [...names].sort((a, b) => b[1] - a[1])) console.log(`  ${n} ${name}`);
}

/** Effect and mnemonic; null for an instruction with a meaning, or one that never runs. */
function opaqueName({ op, mods, ops, guard }: Inst): string | null {
  const text = ops[2];
  if (op !== "OPAQUE" || text?.kind !== "text" || guard?.neg === true) return null;
  return `${mods[0]} ${text.text.replace(/^@\S+\s+/, "").split(/\s/)[0]}`;
}
