/** Conditions on the state that the menu can set, for what it was opened on. */

import type { MomentState } from "../../../../app/session/moment.ts";
import type { Subject } from "../../../../engine/api/types.ts";

export interface WatchSuggestion {
  readonly title: string;
  /** As a user would type it. */
  readonly text: string;
}

/** Registers of an instruction that are offered. */
const MOST_REGISTERS = 3;

/** None for what a condition cannot name. */
export function watchesOf(subject: Subject | null, moment: MomentState): readonly WatchSuggestion[] {
  const label = (id: number): string | null => moment.blocks.get(id)?.label ?? null;
  switch (subject?.kind) {
    case "edge": {
      const [from, to] = [label(subject.from), label(subject.to)];
      if (from === null || to === null) return [];
      return [
        { title: "Stop where this edge disappears", text: `becomes(not edge(${from}, ${to}))` },
        { title: `Stop where the predecessors of ${to} change`, text: `changes(preds(${to}))` },
      ];
    }
    case "block": {
      const name = label(subject.id);
      if (name === null) return [];
      return [
        { title: `Stop where ${name} is removed`, text: `becomes(not block(${name}))` },
        { title: "Stop where its predecessors change", text: `changes(preds(${name}))` },
        { title: "Stop where its size changes", text: `changes(size(${name}))` },
        { title: "Stop where one of its flags changes", text: `changes(flags(${name}))` },
      ];
    }
    case "inst": {
      const found = placeOf(subject.id, moment);
      const own: readonly WatchSuggestion[] = [
        { title: "Stop where this instruction changes", text: `changes(text(${subject.id}))` },
        { title: "Stop where it is removed", text: `becomes(not inst(${subject.id}))` },
      ];
      if (found === null) return own;
      const written = found.tokens.filter((token) => token.def).flatMap((token) => token.regs);
      return [...own, ...[...new Set(written)].slice(0, MOST_REGISTERS).flatMap((reg) => ofRegister(reg, found.label))];
    }
    case "reg": {
      const focus = moment.event?.focus.blocks?.[0];
      return ofRegister(subject.name, focus === undefined ? null : label(Number(focus)));
    }
    default:
      return [
        { title: "Stop where the number of blocks changes", text: "changes(blocks)" },
        { title: "Stop where the number of instructions changes", text: "changes(instructions)" },
      ];
  }
}

const ofRegister = (reg: string, block: string | null): readonly WatchSuggestion[] => [
  { title: `Stop where the definitions of ${reg} change`, text: `changes(defs(${reg}))` },
  { title: `Stop where the uses of ${reg} change`, text: `changes(uses(${reg}))` },
  ...(block === null ? [] : [{ title: `Stop where ${reg} becomes live or dead at ${block}`, text: `changes(live(${reg}, ${block}))` }]),
];

function placeOf(id: number, moment: MomentState) {
  for (const block of moment.blocks.values()) {
    const inst = block.insts.find((one) => one.id === id);
    if (inst !== undefined) return { label: block.label, tokens: inst.tokens };
  }
  return null;
}
