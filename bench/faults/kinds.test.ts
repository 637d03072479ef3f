/** Random programs are wide enough: a pass that ignores one of their kinds is soon seen to be wrong, with the programs of the page's Check too. */

import { describe, expect, it } from "vitest";
import { EquivalenceChecker } from "../../src/engine/fuzz/equivalence.ts";
import { KINDS } from "../../src/engine/fuzz/generate/kinds.ts";
import { freshSeed } from "../../src/engine/testing/seed.ts";
import { parseModule } from "../../src/engine/text/parser.ts";
import { verifyFunc } from "../../src/engine/verify/verify.ts";
import { passProgram } from "../../src/features/ownpass/engine/programs.ts";
import { IGNORANT } from "./kinds.ts";

const FIRST = freshSeed();
/** Programs of the page's quick Check, and of the command line's. */
const QUICK = 250;
const MOST = 1000;
const INPUTS = 16;

/** By kind: the number of the program that shows it. */
function caughtAt(from: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let n = 1; n <= MOST && found.size < IGNORANT.length; n++) {
    const { module } = parseModule(passProgram(from + n).text);
    const fn = module.funcs[0];
    if (fn === undefined) throw new Error(`no program of seed ${from + n}`);
    const checker = new EquivalenceChecker(fn, module, { inputs: INPUTS, seed: from + n });
    for (const { kind, run } of IGNORANT) {
      if (found.has(kind)) continue;
      const after = run(fn);
      if (after === fn) continue;
      // What the verifier refuses says nothing about the checker and its programs.
      if (verifyFunc(after, module).some((d) => d.severity === "error")) continue;
      if (checker.check(after).counterexample !== null) found.set(kind, n);
    }
  }
  return found;
}

describe("kinds of random programs", () => {
  it("have a pass each that ignores them", () => {
    expect(IGNORANT.map(({ kind }) => kind).toSorted()).toEqual(KINDS.map(({ name }) => name).toSorted());
  });

  it(`show that such a pass is wrong, nine of ten with the programs of a quick check (seeds from ${FIRST})`, { timeout: 300_000 }, () => {
    const found = caughtAt(FIRST);
    const missed = IGNORANT.filter(({ kind }) => !found.has(kind)).map(({ kind }) => kind);
    const late = [...found].filter(([, n]) => n > QUICK);
    expect(missed).toEqual([]);
    expect(late.length, JSON.stringify(late)).toBeLessThanOrEqual(IGNORANT.length / 10);
  });
});
