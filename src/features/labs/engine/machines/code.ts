/** Algorithms on instructions: local value numbering, trivial dead code, and the decisions of a phase one by one. */

import type { FlowInst } from "../../../../engine/api/analysis/flow-facts.ts";
import { sameValue } from "../kinds/predict.ts";
import { BrokenTask, phaseOf, stepsWhen } from "../stage.ts";
import type { MachineKind } from "./machine.ts";

const COMMUTATIVE = new Set(["IADD", "IMAD", "IMUL", "FADD", "FMUL", "FFMA"]);

/** The built-in value numbers of a block's expressions, one per line; null where a line has no value to number. */
export function localNumbers(insts: readonly FlowInst[]): readonly (number | null)[] {
  const known = new Map<string, number>();
  const values = new Map<string, number>();
  let next = 0;
  const numberOf = (key: string): number => {
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, next);
    return next++;
  };
  const operand = (text: string): string => {
    const sign = /^[-~!|]*/.exec(text)?.[0] ?? "";
    const name = text.slice(sign.length).replace(/\|$/, "");
    const value = /^(?:U?[RP]|RD|B)\d+$/.test(name) ? `v${values.get(name) ?? numberOf(`in ${name}`)}` : name;
    return `${sign}${value}`;
  };
  return insts.map((inst) => {
    const [def] = inst.defs;
    if (def === undefined || inst.branch || inst.defs.length > 1) {
      for (const name of inst.defs) values.set(name, numberOf(`new ${next}`));
      return null;
    }
    const space = inst.text.indexOf(" ");
    const op = inst.text.slice(0, space);
    const sources = inst.text
      .slice(space + 1)
      .split(", ")
      .slice(1)
      .map(operand);
    const number = numberOf(keyOf(inst, op, sources, next));
    values.set(def, number);
    return number;
  });
}

function keyOf(inst: FlowInst, op: string, sources: readonly string[], fresh: number): string {
  // What a guard may leave unchanged, and what memory contains, is a separate value.
  if (inst.text.startsWith("@") || !inst.removable || inst.text.includes("[")) return `new ${fresh}`;
  const [only] = sources;
  if (op === "MOV" && only !== undefined) return only.startsWith("v") ? `is ${only.slice(1)}` : `constant ${only}`;
  const base = op.split(".")[0] ?? op;
  if (!COMMUTATIVE.has(base)) return `${op} ${sources.join(", ")}`;
  const [a = "", b = "", ...rest] = sources;
  return `${op} ${[a, b].sort().join(", ")}, ${rest.join(", ")}`;
}

export const lvnMachine: MachineKind = {
  name: "lvn",
  moves: "a number for each line in turn: that of an equal earlier value, else a new one",
  needs: ["block"],
  start({ block: label }, ctx) {
    const block = ctx.facts().blocks.find((b) => b.label === label);
    if (block === undefined) throw new BrokenTask(`there is no block ${label ?? ""}`);
    const ours = localNumbers(block.insts);
    const lines = block.insts.flatMap((inst, i) =>
      ours[i] === null || ours[i] === undefined ? [] : [{ text: inst.text, number: ours[i] }],
    );
    const given = new Map<number, string>();
    let at = 0;
    return {
      problem(move) {
        const line = lines[at];
        if (line === undefined) return "every line already has its number";
        const number = move.trim();
        if (!/^\d{1,6}$/.test(number)) return "a move is a number";
        const known = given.get(line.number);
        if (known !== undefined) return Number(number) === Number(known) ? null : `'${line.text}' has a value that was numbered before`;
        return [...given.values()].some((n) => Number(n) === Number(number))
          ? `${number} is the number of another value than that of '${line.text}'`
          : null;
      },
      apply(move) {
        const line = lines[at++];
        if (line !== undefined) given.set(line.number, move.trim());
      },
      model() {
        const line = lines[at];
        if (line === undefined) return null;
        const known = given.get(line.number);
        if (known !== undefined) return known;
        let fresh = 1;
        while ([...given.values()].some((n) => Number(n) === fresh)) fresh++;
        return String(fresh);
      },
    };
  },
};

/** Instructions without an effect whose result no other instruction reads, one at a time, in any order. */
export const deadMachine: MachineKind = {
  name: "dead",
  moves: "`BB1 3` removes the third instruction of BB1, counted in the program as it was",
  needs: [],
  start(_spec, ctx) {
    const facts = ctx.facts();
    const left = new Map(facts.blocks.flatMap((b) => b.insts.map((inst, i) => [`${b.label} ${i + 1}`, inst] as [string, FlowInst])));
    const readBy = (register: string, but: string): string | null => {
      if (facts.returns.includes(register)) return "the caller";
      for (const [place, inst] of left) if (place !== but && inst.uses.includes(register)) return `'${inst.text}'`;
      return null;
    };
    const problem = (move: string): string | null => {
      const place = move.trim().replace(/\s+/g, " ");
      const inst = left.get(place);
      if (inst === undefined) return `instruction ${place} no longer exists`;
      if (!inst.removable || inst.defs.length === 0) return `'${inst.text}' has an effect`;
      for (const register of inst.defs) {
        const reader = readBy(register, place);
        if (reader !== null) return `${reader} reads ${register}`;
      }
      return null;
    };
    return {
      problem,
      apply: (move) => left.delete(move.trim().replace(/\s+/g, " ")),
      model: () => [...left.keys()].find((place) => problem(place) === null) ?? null,
    };
  },
};

/** Events of a phase in turn: what each of them reports. */
export const traceMachine: MachineKind = {
  name: "trace",
  moves: "what the phase decides at each of its steps, in turn",
  needs: ["phase", "when", "fact"],
  start({ phase = "", when = "", fact = "", from = 1, to }, ctx) {
    const run = ctx.run();
    const steps = stepsWhen(run, phase, when).slice(from - 1, to);
    const index = phaseOf(run, phase).run;
    const events = steps.flatMap((step) => run.session.events(index, step, 1));
    if (events.length === 0) throw new BrokenTask(`phase ${phase} has no event with ${when} there`);
    const values = events.map((event) => {
      const value = event.facts[fact];
      if (value === undefined || value === null) throw new BrokenTask(`an event has no '${fact}': ${event.sentence}`);
      return Array.isArray(value) ? value.join(", ") : String(value as string | number | boolean);
    });
    let at = 0;
    return {
      problem(move) {
        const value = values[at];
        if (value === undefined) return "every step is done";
        return sameValue(move, value) ? null : `it is not ${move.trim() || "empty"}`;
      },
      apply: () => {
        at++;
      },
      model: () => values[at] ?? null,
    };
  },
};
