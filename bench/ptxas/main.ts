/**
 * Policy 'measured' against the real compiler: `npx tsx bench/ptxas/main.ts [--seed S] [--count N] [--family NAME] [--target sm_80] [--level 3] [--out FOLDER] [--facts FOLDER]`.
 * Makes N kernels (1,600) of the families below from a seed, which is printed, compiles each with the `ptxas` on PATH, reads the machine code, and compares counts of
 * instructions with those of our own result. Prints every kernel that differs and, by family, how many agree. `--out` keeps the kernels that differ, `--facts` all of them with
 * what ptxas made of them, as `scripts/facts.mjs` packs them.
 * Where there is no ptxas it says so and ends with 0.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCubin } from "./cubin.ts";
import { kernels } from "./families.ts";
import { answer, named } from "./kernel.ts";
import { made } from "./ours.ts";
import { type Seen, seenIn } from "./seen.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20260" },
    count: { type: "string", default: "1600" },
    family: { type: "string" },
    target: { type: "string", default: "sm_80" },
    level: { type: "string", default: "3" },
    out: { type: "string" },
    facts: { type: "string" },
  },
});

function compiled(ptx: string, target: string, level: number): Seen | string {
  const [from, to] = [join(folder, "k.ptx"), join(folder, "k.cubin")];
  writeFileSync(from, ptx);
  const { status, stderr } = spawnSync("ptxas", [`-O${level}`, `-arch=${target}`, from, "-o", to], { encoding: "utf8" });
  if (status !== 0) return stderr.split("\n")[0] ?? "ptxas failed";
  const [kernel] = readCubin(readFileSync(to));
  return kernel === undefined ? "no code" : seenIn(kernel);
}

function compareAll(seed: number, count: number, target: string, level: number): void {
  const rows = new Map<string, { tried: number; agreed: number }>();
  const facts: object[] = [];
  if (values.facts !== undefined) mkdirSync(values.facts, { recursive: true });
  let refused = 0;
  for (const [index, kernel] of kernels(seed, count, values.family).entries()) {
    const theirs = compiled(kernel.ptx, target, level);
    if (typeof theirs === "string") {
      refused++;
      console.log(`refused by ptxas: ${kernel.family}: ${kernel.recipe}: ${theirs}`);
      continue;
    }
    const mine = made(kernel.ptx, target, level);
    const different = kernel.questions.filter((question) => answer(mine, question) !== answer(theirs, question));
    const row = rows.get(kernel.family) ?? { tried: 0, agreed: 0 };
    rows.set(kernel.family, { tried: row.tried + 1, agreed: row.agreed + (different.length === 0 ? 1 : 0) });
    if (values.facts !== undefined) {
      const file = `${String(index).padStart(4, "0")}.ptx`;
      writeFileSync(join(values.facts, file), kernel.ptx);
      const seen = Object.fromEntries(kernel.questions.map((q) => [named(q), answer(theirs, q)]));
      facts.push({ file, family: kernel.family, recipe: kernel.recipe, questions: kernel.questions, target, level, seen });
    }
    if (different.length === 0) continue;
    const told = different.map((q) => `${named(q)} ${answer(mine, q)}, ptxas ${answer(theirs, q)}`).join("; ");
    console.log(`${index} ${kernel.family}: ${kernel.recipe}: ${told}`);
    if (values.out !== undefined) {
      mkdirSync(values.out, { recursive: true });
      writeFileSync(join(values.out, `${index}.ptx`), `// ${kernel.family}: ${kernel.recipe}: ${told}\n${kernel.ptx}`);
    }
  }
  if (values.facts !== undefined) writeFileSync(join(values.facts, "expected.json"), JSON.stringify(facts));
  const share = ({ tried, agreed }: { readonly tried: number; readonly agreed: number }): string =>
    `${agreed} of ${tried} (${((100 * agreed) / tried).toFixed(1)} %)`;
  for (const [family, row] of rows) console.log(`${family}: ${share(row)}`);
  const all = [...rows.values()].reduce((sum, row) => ({ tried: sum.tried + row.tried, agreed: sum.agreed + row.agreed }), {
    tried: 0,
    agreed: 0,
  });
  console.log(`seed ${seed}, ${target}, -O${level}: ${share(all)} agree, ${refused} refused by ptxas`);
}

const folder = mkdtempSync(join(tmpdir(), "oriscope-ptxas-"));
try {
  if (spawnSync("ptxas", ["--version"], { stdio: "ignore" }).error !== undefined) console.log("no ptxas on PATH: nothing is compared");
  else compareAll(Number(values.seed), Number(values.count), values.target, Number(values.level));
} finally {
  rmSync(folder, { recursive: true });
}
