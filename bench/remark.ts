/**
 * What a remark costs that nobody hears: `node --expose-gc scripts/run-ts.mjs bench/remark.ts`.
 * Printed are nanoseconds of processor time a call, over those of the same loop without it, and bytes that a call allocates (with `--expose-gc`).
 */

import { Editor } from "../src/engine/ir/edit.ts";
import type { Inst } from "../src/engine/ir/types.ts";
import { Remarks } from "../src/engine/remark/remarks.ts";
import { line, rules } from "../src/engine/remark/rules.ts";
import { parseModule } from "../src/engine/text/parser.ts";
import { NO_RECORDER } from "../src/engine/trace/recorder.ts";

const RULES = rules({
  visit: line("visit", { step: "{block}: {count} {count:instruction|instructions}" }),
  check: line("check", {
    stays: "'{inst}' in {block} stays: {why}",
    missed: {
      uses: { say: "{source:reg} is read in {count} {count:place|places}", droppable: "readers find nothing" },
      between: { say: "{source:reg} is written between" },
      phi: { say: "it is a PHI" },
    },
  }),
  remove: line("remove", { done: "'{inst}' goes" }),
});

const { module } = parseModule(".func f(n: R0) -> R9\nBB0:\n    MOV R1, R0\n    MOV R2, R1\n    IADD R9, R2, R1\n    RET\n");
const fn = module.funcs[0];
const entry = fn?.blocks[fn.layout[0] ?? -1];
if (fn === undefined || entry === undefined) throw new Error("the sample does not parse");
const remark = new Remarks(new Editor(fn, NO_RECORDER), NO_RECORDER, RULES, null);
const { insts } = entry;
const CALLS = 20_000_000;
let sink = 0;

/** Like a pass's loop: instructions one after the other, of which some are looked at. */
function loop(body: (inst: Inst, i: number) => void): { readonly ns: number; readonly bytes: number } {
  let ns = Number.POSITIVE_INFINITY;
  let bytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const start = process.cpuUsage();
    for (let i = 0; i < CALLS; i++) {
      const inst = insts[i & 3] as Inst;
      sink += inst.ops.length;
      body(inst, i);
    }
    ns = Math.min(ns, (process.cpuUsage(start).user * 1000) / CALLS);
    bytes = Math.min(bytes, Math.max(0, process.memoryUsage().heapUsed - before) / CALLS);
  }
  return { ns, bytes };
}

const rows: readonly (readonly [string, (inst: Inst, i: number) => void])[] = [
  ["step", (_inst, i) => remark.step(RULES.visit, { block: entry, count: i })],
  ["missed, one reason", (inst) => void remark.missed(RULES.check, "phi", { inst, block: entry })],
  [
    "missed, several reasons",
    (inst, i) => {
      if (i % 3 === 0) remark.missed(RULES.check, "phi", { inst, block: entry });
      else if (i % 3 === 1) remark.missed(RULES.check, "uses", { inst, block: entry, source: null, count: i });
      else remark.missed(RULES.check, "between", { inst, block: entry, source: null });
    },
  ],
  ["holds, and does", (inst, i) => void remark.holds(RULES.check, "uses", i >= 0, { inst, block: entry, source: null, count: i })],
  ["request and commit", (inst) => void remark.request(RULES.remove, { inst }, () => sink++)?.commit()],
  ["span", (_inst, i) => remark.span(RULES.visit, { block: entry, count: i }, () => void sink++)],
];

const base = loop(() => {});
console.log("verb | ns a call | bytes a call");
for (const [name, body] of rows) {
  const { ns, bytes } = loop(body);
  console.log(`${name} | ${(ns - base.ns).toFixed(1)} | ${globalThis.gc === undefined ? "?" : bytes.toFixed(2)}`);
}
if (sink === 0) console.log(sink);
