/** Algorithms on trees: keys that enter a red-black tree, and an expression that is flattened and sorted. */

import { expressionTree, type TreeOperand } from "../../../../engine/api/analysis/expression-tree.ts";
import { type RedBlackStep, redBlackSteps } from "../../../../engine/api/analysis/red-black.ts";
import { type Random, seededRandom } from "../../../../engine/api/exec/generate.ts";
import { seedFrom } from "../digest.ts";
import type { Context } from "../kinds/kind.ts";
import { BrokenTask } from "../stage.ts";
import type { MachineKind, MachineSpec } from "./machine.ts";

const DEFAULT_KEYS = 8;
const MOST_DRAWS = 500;

/** The keys of the task, else a student's own: few enough to draw, with repairs of both kinds, and about as many for everyone. */
function keysOf({ keys, count = DEFAULT_KEYS }: MachineSpec, ctx: Context): readonly number[] {
  if (keys !== undefined) return keys;
  const { front } = ctx.lab;
  const seed = front.seed === "fixed" ? 0 : ctx.stage.seed;
  const random = seededRandom(seedFrom(front.id, front.version, seed, ctx.task.id, ctx.variant, 0));
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = draws(random, count);
    const steps = redBlackSteps(drawn);
    const rotations = steps.filter((s) => s.do === "rotate").length;
    if (rotations >= 2 && Math.abs(steps.length - 2 * count) <= 1) return drawn;
  }
  throw new BrokenTask(`no ${count} keys make a tree of even difficulty: give keys:`);
}

function draws(random: Random, count: number): number[] {
  const keys = new Set<number>();
  while (keys.size < count) keys.add(1 + random.below(99));
  return [...keys];
}

export const rbInsertMachine: MachineKind = {
  name: "rb-insert",
  moves:
    "`insert 41 root`, `insert 12 left of 41` or `insert 60 right of 41` inserts the next key as a red leaf; `recolour 41 30 50` changes the colours of these nodes; `rotate left 41` moves 41 down to its left",
  needs: [],
  program: (spec, ctx) => `The keys in their order: ${keysOf(spec, ctx).join(", ")}`,
  start(spec, ctx) {
    const steps = redBlackSteps(keysOf(spec, ctx));
    let at = 0;
    return {
      problem(move) {
        const step = steps[at];
        if (step === undefined) return "all keys are inserted, and the colours are right";
        const given = readMove(move);
        if (given === null) return "a move inserts, recolours or rotates";
        return sameStep(given, step) ? null : whyNot(given, step);
      },
      apply: () => {
        at++;
      },
      model: () => {
        const step = steps[at];
        return step === undefined ? null : stepText(step);
      },
    };
  },
};

function stepText(step: RedBlackStep): string {
  switch (step.do) {
    case "insert":
      return step.parent === null ? `insert ${step.key} root` : `insert ${step.key} ${step.side} of ${step.parent}`;
    case "recolour":
      return `recolour ${step.keys.join(" ")}`;
    case "rotate":
      return `rotate ${step.way} ${step.key}`;
  }
}

function readMove(move: string): RedBlackStep | null {
  const text = move.trim().toLowerCase().replace(/\s+/g, " ");
  const [, key, side, parent] = /^insert (\d{1,5})(?: root| (left|right) of (\d{1,5}))$/.exec(text) ?? [];
  if (key !== undefined) {
    const under = side === "left" || side === "right" ? side : null;
    return { do: "insert", key: Number(key), parent: parent === undefined ? null : Number(parent), side: under };
  }
  const colours = /^recolou?r((?:,? \d{1,5})+)$/.exec(text)?.[1];
  if (colours !== undefined) return { do: "recolour", keys: colours.split(/[, ]+/).filter(Boolean).map(Number) };
  const [, way, pivot] = /^rotate (left|right)(?: at)? (\d{1,5})$/.exec(text) ?? [];
  return way === "left" || way === "right" ? { do: "rotate", way, key: Number(pivot) } : null;
}

function sameStep(a: RedBlackStep, b: RedBlackStep): boolean {
  if (a.do === "recolour" && b.do === "recolour") {
    const [x, y] = [new Set(a.keys), new Set(b.keys)];
    return x.size === y.size && [...x].every((key) => y.has(key));
  }
  return stepText(a) === stepText(b);
}

function whyNot(given: RedBlackStep, step: RedBlackStep): string {
  switch (step.do) {
    case "insert":
      if (given.do !== "insert") return `the tree is valid: insert ${step.key} now`;
      return given.key === step.key ? `${step.key} does not belong there: walk down from the root` : `the next key is ${step.key}`;
    case "recolour":
      if (given.do === "recolour") return "these are not the nodes that change their colour";
      if (step.keys.length === 1) return "the root is red";
      return step.keys.length === 3
        ? "a red node has a red parent and a red uncle: recolour first"
        : "a red node has a red parent and a black uncle, on the outer side: parent and grandparent change their colours first";
    case "rotate":
      return given.do === "rotate" ? "this is the wrong node or the wrong direction" : "a rotation comes next";
  }
}

/** `take R5` replaces an operand with its own operands, `leaf R6` keeps it; then `next R6` gives the leaves in canonical order. */
export const flattenMachine: MachineKind = {
  name: "flatten",
  moves:
    "`take R5` puts the operands of R5 in its place; `leaf R6` leaves R6 as it is; when all are decided, `next R6` gives the leaves one by one in canonical order",
  needs: ["block", "register"],
  start({ block = "", register = "" }, ctx) {
    const { program, task } = ctx;
    const text = task.at.kind === "input" ? program.ori : ctx.stage.textAt(program, ctx.options, task.at);
    const tree = expressionTree(text, task.at.kind === "input" ? program.kernel : null, block, register);
    if (typeof tree === "string") throw new BrokenTask(tree);
    const open: TreeOperand[] = [...tree.operands];
    let sorted = 0;
    const find = (name: string): TreeOperand | undefined => open.find((o) => bare(o.text) === bare(name));
    return {
      problem(move) {
        const [, verb = "", name = ""] = /^(take|leaf|next)\s+(\S+)$/i.exec(move.trim()) ?? [];
        if (name === "") return "a move is take, leaf or next, and an operand";
        if (verb.toLowerCase() === "next") {
          if (open.length > 0) return `not all operands are decided: ${open.map((o) => o.text).join(", ")}`;
          const wanted = tree.sorted[sorted];
          return wanted?.toLowerCase() === name.toLowerCase() ? null : `${name} is not the next in canonical order`;
        }
        const operand = find(name);
        if (operand === undefined) return `${name} is no operand that is still open`;
        if (verb.toLowerCase() === "take") return operand.taken !== null ? null : `${operand.text} stays a leaf: ${operand.why}`;
        return operand.taken === null ? null : `'${operand.taken.inst}' has the same operation and no other reader`;
      },
      apply(move) {
        const [, verb = "", name = ""] = /^(take|leaf|next)\s+(\S+)$/i.exec(move.trim()) ?? [];
        if (verb.toLowerCase() === "next") {
          sorted++;
          return;
        }
        const operand = find(name);
        if (operand === undefined) return;
        open.splice(open.indexOf(operand), 1, ...(operand.taken?.operands ?? []));
      },
      model() {
        const [first] = open;
        if (first !== undefined) return `${first.taken === null ? "leaf" : "take"} ${first.text}`;
        const next = tree.sorted[sorted];
        return next === undefined ? null : `next ${next}`;
      },
    };
  },
};

const bare = (text: string): string => text.replace(/^-/, "").toLowerCase();
