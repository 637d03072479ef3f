/** Algorithms that go round until nothing changes: dominators, liveness, the placing of PHIs. */

import type { FlowBlock } from "../../../../engine/api/analysis/flow-facts.ts";
import { BrokenTask } from "../stage.ts";
import { type MachineKind, movePair, orNone, sameSet } from "./machine.ts";

/** Immediate dominators by the intersect walk (Cooper, Harvey, Kennedy); blocks in any order. */
export const dominatorsMachine: MachineKind = {
  name: "dominators",
  moves: "`BB3: BB1` sets BB3's dominator to the meeting point of its predecessors that have one already",
  needs: [],
  start(_spec, ctx) {
    const facts = ctx.facts();
    const blocks = new Map(facts.blocks.filter((b) => b.rpo > 0).map((b) => [b.label, b]));
    const order = [...blocks.values()].sort((a, b) => a.rpo - b.rpo);
    const idom = new Map([[facts.entry, facts.entry]]);
    const number = (label: string): number => blocks.get(label)?.rpo ?? 0;
    const meet = (one: string, two: string): string => {
      let [a, b] = [one, two];
      while (a !== b) {
        while (number(a) > number(b)) a = idom.get(a) ?? facts.entry;
        while (number(b) > number(a)) b = idom.get(b) ?? facts.entry;
      }
      return a;
    };
    const wanted = (label: string): string | null => {
      const ready = blocks.get(label)?.preds.filter((p) => idom.has(p)) ?? [];
      return ready.length === 0 ? null : ready.reduce(meet);
    };
    return {
      problem(move) {
        const [label, given] = movePair(move);
        if (!blocks.has(label)) return `there is no block ${label}`;
        if (label === facts.entry) return "the entry has no dominator above it";
        const right = wanted(label);
        if (right === null) return `no predecessor of ${label} has a dominator yet`;
        if (idom.get(label) === right) return `${label} is up to date`;
        return given?.length === 1 && given[0] === right ? null : `the walks from its predecessors do not meet at ${orNone(given ?? [])}`;
      },
      apply(move) {
        const [label, given] = movePair(move);
        idom.set(label, given?.[0] ?? "");
      },
      model() {
        for (const { label } of order) {
          const right = label === facts.entry ? null : wanted(label);
          if (right !== null && idom.get(label) !== right) return `${label}: ${right}`;
        }
        return null;
      },
    };
  },
};

/** Live registers at the start of each block, from the empty sets up; blocks in any order. */
export const livenessMachine: MachineKind = {
  name: "liveness",
  moves: "`BB3: R1 R2` sets what is live at the start of BB3, from what is live at its successors now",
  needs: [],
  start(_spec, ctx) {
    const facts = ctx.facts();
    if (facts.blocks.some((b) => b.insts.some((i) => i.text.startsWith("PHI"))))
      throw new BrokenTask("the liveness of PHIs is not simulated");
    const blocks = new Map(facts.blocks.filter((b) => b.rpo > 0).map((b) => [b.label, b]));
    const order = [...blocks.values()].sort((a, b) => b.rpo - a.rpo);
    const live = new Map([...blocks.keys()].map((label) => [label, new Set<string>()]));
    const wanted = (block: FlowBlock): Set<string> => {
      const out = new Set(block.succs.length === 0 ? facts.returns : block.succs.flatMap((s) => [...(live.get(s) ?? [])]));
      for (const name of block.def) out.delete(name);
      for (const name of block.use) out.add(name);
      return out;
    };
    return {
      problem(move) {
        const [label, given] = movePair(move);
        const block = blocks.get(label);
        if (block === undefined) return `there is no block ${label}`;
        const right = wanted(block);
        if (sameSet(right, live.get(label) ?? [])) return `${label} is up to date`;
        if (given !== null && sameSet(right, given)) return null;
        const missing = [...right].filter((r) => !(given ?? []).includes(r));
        const spurious = (given ?? []).filter((r) => !right.has(r));
        return [...missing.map((r) => `${r} is missing`), ...spurious.map((r) => `${r} is not live there yet`)].join("; ");
      },
      apply(move) {
        const [label, given] = movePair(move);
        live.set(label, new Set(given));
      },
      model() {
        for (const block of order) {
          const right = wanted(block);
          if (!sameSet(right, live.get(block.label) ?? [])) return `${block.label}: ${orNone(right)}`;
        }
        return null;
      },
    };
  },
};

/** Where a register's values merge: a worklist of blocks that write it, and PHIs at their frontiers. */
export const phiPlaceMachine: MachineKind = {
  name: "phi-place",
  moves:
    "`BB2: BB4 BB5` takes BB2 off the list and places PHIs in the blocks of its frontier that have none; `BB2: none` where there are none",
  needs: ["register"],
  start({ register = "" }, ctx) {
    const facts = ctx.facts();
    const frontier = new Map(facts.blocks.map((b) => [b.label, b.frontier]));
    const writers = facts.blocks.filter((b) => b.rpo > 0 && b.insts.some((i) => i.defs.includes(register))).map((b) => b.label);
    if (writers.length === 0) throw new BrokenTask(`nothing writes ${register}`);
    const work = new Set(writers.includes(facts.entry) ? writers : [facts.entry, ...writers]);
    const ever = new Set(work);
    const placed = new Set<string>();
    const wanted = (label: string): readonly string[] => (frontier.get(label) ?? []).filter((join) => !placed.has(join));
    return {
      problem(move) {
        const [label, given] = movePair(move);
        if (!work.has(label)) return `${label} is not on the list`;
        const right = wanted(label);
        return sameSet(right, given ?? [])
          ? null
          : `the frontier of ${label} has ${right.length} ${right.length === 1 ? "block" : "blocks"} without a PHI`;
      },
      apply(move) {
        const [label, given] = movePair(move);
        work.delete(label);
        for (const join of given ?? []) {
          placed.add(join);
          // A PHI writes the register, too.
          if (!ever.has(join)) {
            ever.add(join);
            work.add(join);
          }
        }
      },
      model() {
        const [label] = work;
        return label === undefined ? null : `${label}: ${orNone(wanted(label))}`;
      },
    };
  },
};
