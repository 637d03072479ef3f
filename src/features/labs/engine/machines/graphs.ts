/** Algorithms on the graph alone: depth-first numbering, the interval test, the cascade of removed blocks. */

import { BrokenTask } from "../stage.ts";
import type { Machine, MachineKind } from "./machine.ts";

/** Depth-first walk: `BB3` continues to a block, `done BB3` leaves it. */
export const rpoMachine: MachineKind = {
  name: "rpo",
  moves: "`BB3` walks on to a successor that was not visited yet; `done BB3` leaves a block that has none left",
  needs: [],
  start(_spec, ctx) {
    const facts = ctx.facts();
    const succs = new Map(facts.blocks.map((b) => [b.label, b.succs]));
    const seen = new Set<string>();
    const path: string[] = [];
    let started = false;
    const open = (): readonly string[] => {
      const at = path.at(-1);
      return at === undefined ? (started ? [] : [facts.entry]) : (succs.get(at) ?? []).filter((next) => !seen.has(next));
    };
    return {
      problem(move) {
        const done = /^done\s(.*)$/i.exec(move.trim())?.[1]?.trim();
        const at = path.at(-1);
        if (done === undefined) {
          if (open().includes(move.trim())) return null;
          if (seen.has(move.trim())) return `${move.trim()} was visited before`;
          return at === undefined ? `the walk begins at ${facts.entry}` : `${move.trim()} is no successor of ${at}`;
        }
        if (done !== at) return at === undefined ? "no block is open" : `the walk is at ${at}, not at ${done}`;
        return open().length === 0 ? null : `${at} has a successor that was not visited: ${open().join(", ")}`;
      },
      apply(move) {
        const done = /^done\s/i.test(move.trim());
        if (done) path.pop();
        else {
          started = true;
          seen.add(move.trim());
          path.push(move.trim());
        }
      },
      model() {
        const [next] = open();
        const at = path.at(-1);
        return next ?? (at === undefined ? null : `done ${at}`);
      },
    };
  },
};

/** The interval test: `T1 BB3` removes an edge of a block to itself, `T2 BB4` merges a block into its only predecessor. */
export const reducibleMachine: MachineKind = {
  name: "reducible",
  moves: "`T1 BB3` removes the edge from BB3 to itself; `T2 BB4` merges BB4 into its only predecessor",
  needs: [],
  start(_spec, ctx) {
    const facts = ctx.facts();
    const live = new Set(facts.blocks.filter((b) => b.rpo > 0).map((b) => b.label));
    const succs = new Map([...live].map((label) => [label, new Set(facts.blocks.find((b) => b.label === label)?.succs ?? [])]));
    const predsOf = (label: string): string[] => [...live].filter((from) => succs.get(from)?.has(label) === true);
    const problem = (move: string): string | null => {
      const [, rule = "", label = ""] = /^(T1|T2)\s+(\S+)$/i.exec(move.trim()) ?? [];
      if (!live.has(label)) return label === "" ? "a move is T1 or T2 and a block" : `block ${label} no longer exists`;
      if (rule.toUpperCase() === "T1") return succs.get(label)?.has(label) === true ? null : `${label} has no edge to itself`;
      if (label === facts.entry) return "the entry has no predecessor to merge into";
      const preds = predsOf(label);
      return preds.length === 1 && preds[0] !== label
        ? null
        : `${label} has ${preds.length === 1 ? "an edge to itself" : `${preds.length} predecessors`}`;
    };
    return {
      problem,
      apply(move) {
        const [, rule = "", label = ""] = /^(T1|T2)\s+(\S+)$/i.exec(move.trim()) ?? [];
        if (rule.toUpperCase() === "T1") {
          succs.get(label)?.delete(label);
          return;
        }
        const pred = succs.get(predsOf(label)[0] ?? "");
        pred?.delete(label);
        for (const next of succs.get(label) ?? []) pred?.add(next);
        succs.delete(label);
        live.delete(label);
      },
      model() {
        for (const label of live) for (const rule of ["T1", "T2"]) if (problem(`${rule} ${label}`) === null) return `${rule} ${label}`;
        return null;
      },
    };
  },
};

/** Blocks that lose their last predecessor are removed, and take their own edges with them. */
export const cascadeMachine: MachineKind = {
  name: "cascade",
  moves: "`BB3` removes a block without predecessors",
  needs: ["cut"],
  start({ cut = [] }, ctx): Machine {
    const facts = ctx.facts();
    const succs = new Map(facts.blocks.map((b) => [b.label, new Set(b.succs)]));
    for (const [from, to] of cut)
      if (succs.get(from)?.delete(to) !== true) throw new BrokenTask(`there is no edge from ${from} to ${to} to cut`);
    const counts = new Map(facts.blocks.map((b) => [b.label, 0]));
    for (const set of succs.values()) for (const to of set) counts.set(to, (counts.get(to) ?? 0) + 1);
    const problem = (move: string): string | null => {
      const count = counts.get(move.trim());
      if (count === undefined) return `block ${move.trim()} no longer exists`;
      if (move.trim() === facts.entry) return "the entry cannot be removed";
      return count === 0 ? null : `${count} ${count === 1 ? "edge leads" : "edges lead"} to ${move.trim()}`;
    };
    return {
      problem,
      apply(move) {
        for (const to of succs.get(move.trim()) ?? []) counts.set(to, (counts.get(to) ?? 1) - 1);
        succs.delete(move.trim());
        counts.delete(move.trim());
      },
      model: () => [...counts.keys()].find((label) => problem(label) === null) ?? null,
    };
  },
};
