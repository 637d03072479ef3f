/** Lowered switches against the plain meaning of a chain, for random constants, and the shape of the search tree. */

import { describe, expect, it } from "vitest";
import { createPrng, type Prng } from "../../../base/prng.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { runKernel } from "../../interp/interpreter.ts";
import { Editor } from "../../ir/edit.ts";
import type { Func, Module } from "../../ir/types.ts";
import { silentRemarks } from "../../remark/remarks.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { verifyChange } from "../../verify/verify.ts";
import { collectCases } from "./case-sets.ts";
import { SwitchOptContext } from "./context.ts";
import {
  firstCases,
  type LoweringPlan,
  lowerToTable,
  lowerToTree,
  MAX_TABLE_ENTRIES,
  planLowering,
  tableKeepsGroups,
  treeDepth,
  treeNodes,
} from "./lowering.ts";
import { SCAN, scanSwitches } from "./scan.ts";
import { chooseStrategy, switchFacts } from "./strategy.ts";
import { chainText, parse, runSwitchOpt, shapeOf } from "./testing/chain.ts";

const LANES = 32;

/** R5 of each lane whose selector is the lane's value. */
function results(fn: Func, module: Module, selectors: readonly number[]): number[] {
  const outcome = runKernel(module, fn, { threads: LANES, fuel: 100_000, buffers: [], args: [(t) => (selectors[t] ?? 0) >>> 0, 0] });
  expect(outcome.status).toBe("ok");
  return Array.from(outcome.returns[0]?.lo ?? []);
}

/** What a chain means: the first equal constant wins. */
const meaning = (values: readonly number[], selector: number): number => {
  const at = values.findIndex((v) => (v | 0) === (selector | 0));
  return at < 0 ? 1 : 100 + at;
};

function randomValues(rng: Prng): number[] {
  const corners = [-0x80000000, -0x7fffffff, -1, 0, 1, 0x7ffffffe, 0x7fffffff];
  const base = rng.chance(0.5) ? rng.pick(corners) : rng.below(1000) - 500;
  const spread = rng.pick([6, 12, 40, 1_000_000]);
  return Array.from({ length: 2 + rng.below(24) }, () => (rng.chance(0.1) ? rng.pick(corners) : (base + rng.below(spread)) | 0));
}

function selectorsFor(values: readonly number[], rng: Prng): number[] {
  return Array.from({ length: LANES }, () => {
    const near = ((values[rng.below(values.length)] ?? 0) + rng.below(3) - 1) | 0;
    return rng.chance(0.8) ? near : rng.pick([0, -1, -0x80000000, 0x7fffffff]);
  });
}

it("a table keeps the groups of lanes where each case and the default have a target of their own, reached by one edge", () => {
  const groups = (
    cases: readonly (readonly [value: number, target: number])[],
    clamp: boolean,
    dropped: readonly number[] = [],
  ): boolean => {
    const links = [...cases.map(([, target]) => target), ...dropped].map((target) => ({ target }));
    const plan = { cases: cases.map(([value, target]) => ({ value, target })), links, fallback: 9 };
    return tableKeepsGroups(plan as unknown as LoweringPlan, clamp);
  };
  const own = [
    [4, 1],
    [5, 2],
    [6, 3],
  ] as const;
  expect(groups(own, false)).toBe(true);
  // Two cases lead to one block, or one to the default.
  expect(groups([...own, [7, 3]], true)).toBe(false);
  expect(groups([...own, [7, 9]], true)).toBe(false);
  // The block of a repeated value loses its edge.
  expect(groups(own, true, [8])).toBe(false);
  // A hole is a second edge to the default, unless it is the only one.
  expect([groups([...own, [8, 4]], false), groups([...own, [8, 4]], true)]).toEqual([false, true]);
});

describe("the lowered forms", () => {
  it("mean what the chain means, for random constants over all of int32 (seeds 1 to 150)", () => {
    let trees = 0;
    let tables = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const rng = createPrng(seed);
      const values = randomValues(rng);
      const { fn, module } = parse(chainText(values));
      const chain = scanSwitches(fn, { policy: "notes", extended: true, takeCases: () => true }).find(({ links }) => links.length > 1);
      expect(chain?.links.length, `seed ${seed}`).toBe(values.length);
      if (chain === undefined) continue;
      const selectors = selectorsFor(values, rng);
      const wanted = selectors.map((s) => meaning(values, s));
      expect(results(fn, module, selectors), `seed ${seed}, cascade`).toEqual(wanted);
      const forms: [string, (edit: Editor) => void][] = [["tree", (edit) => lowerToTree(edit, planLowering(chain, 0))]];
      if (switchFacts(values).range <= Math.min(5000, MAX_TABLE_ENTRIES)) {
        forms.push(["table", (edit) => lowerToTable(edit, planLowering(chain, 0), false)]);
        forms.push(["clamped table", (edit) => lowerToTable(edit, planLowering(chain, 0), true)]);
      }
      for (const [name, lower] of forms) {
        if (name === "tree") trees++;
        else tables++;
        const edit = new Editor(fn, NO_RECORDER);
        lower(edit);
        expect(
          verifyChange(fn, edit.func, module).filter((d) => d.severity === "error"),
          `seed ${seed}, ${name}`,
        ).toEqual([]);
        expect(results(edit.func, module, selectors), `seed ${seed}, ${name}`).toEqual(wanted);
      }
    }
    expect(trees).toBe(150);
    expect(tables).toBeGreaterThan(50);
  });

  it("leave the rest of a chain alone that is lowered from its middle", () => {
    const values = [500, 9000, 10, 11, 12];
    const { fn, module } = parse(chainText(values));
    const { after } = runSwitchOpt(fn, module, "measured");
    expect(shapeOf(after)).toEqual({ compares: 2, tables: [4] });
    const selectors = Array.from({ length: LANES }, (_, i) => [500, 9000, 10, 11, 12, 13, 9, 0][i % 8] ?? 0);
    expect(results(after, module, selectors)).toEqual(selectors.map((s) => meaning(values, s)));
  });
});

describe("the search tree", () => {
  it.each([1, 2, 3, 4, 5, 8, 31, 32, 33, 400])("over %i cases is as deep as it must be, and tests each case once", (n) => {
    const nodes = treeNodes(n);
    const equals = nodes.flatMap((node) => (node.kind === "equal" || node.kind === "leaf" ? [node.case] : []));
    expect(equals.toSorted((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    // Levels from the root: 'less' has the 'equal' after it and, after that, its right part.
    const level = new Array<number>(nodes.length).fill(0);
    let deepest = 0;
    for (const [i, node] of nodes.entries()) {
      deepest = Math.max(deepest, node.kind === "empty" ? 0 : (level[i] ?? 0) + 1);
      if (node.kind !== "less") continue;
      level[i + 1] = level[i] ?? 0;
      level[i + 2] = (level[i] ?? 0) + 1;
      level[node.left] = (level[i] ?? 0) + 1;
    }
    expect(deepest).toBe(treeDepth(n));
    expect(Math.max(...nodes.map((node) => (node.kind === "empty" ? 0 : node.depth)))).toBe(deepest);
  });
});

describe("the tree of values", () => {
  it("gives the range and the number of cases: a wrong bit in it makes a search tree of a table", () => {
    const values = [10, 11, 12, 13, 14];
    const { fn } = parse(chainText(values));
    const remark = silentRemarks(fn, SCAN);
    const [chain] = scanSwitches(fn, { policy: "notes", extended: true, takeCases: () => true });
    const context = new SwitchOptContext("k", fn.layout.length, () => "", remark);
    const sets = collectCases(fn, chain?.links ?? [], reversePostOrder(fn).number, context, remark, "");
    const strategy = () => chooseStrategy("notes", values, { cascadeMax: 4, tableDensity: 5, tableMinCases: 2 }, sets.facts()).strategy;
    expect(strategy()).toBe("table");
    sets.byValue.insert(5000);
    expect(strategy()).toBe("tree");
    sets.byValue.takeMax();
    sets.byValue.takeMax();
    expect(strategy()).toBe("cascade");
  });
});

describe("repeated values", () => {
  it("keep their first target", () => {
    const { fn } = parse(chainText([3, 4, 3, 5]));
    const [chain] = scanSwitches(fn, { policy: "notes", extended: true, takeCases: () => true }).filter(({ links }) => links.length > 1);
    expect(firstCases(chain?.links ?? []).map((c) => fn.blocks[c.target]?.label)).toEqual(["L0", "L1", "L3"]);
  });
});
