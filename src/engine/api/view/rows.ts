/** The tables that pages and commands list: phases, knobs, opcodes. */

import type { KnobValue } from "../../config/knob-row.ts";
import { KNOBS, knobLabel, knobsReadBy } from "../../config/knobs.ts";
import { OPCODES } from "../../ir/opcodes.ts";
import { POSITIONS } from "../../passes/positions.ts";
import { evaluateGates } from "../../pipeline/gates.ts";
import type { Plan } from "../../pipeline/plan.ts";
import type { KnobRow, OpcodeRow, PhaseRow } from "../types.ts";

/** Every position, with its gates' decisions under a plan's target, level, knobs and policy. */
export function phaseRows(plan: Plan): readonly PhaseRow[] {
  return POSITIONS.map((position): PhaseRow => {
    const verdict = evaluateGates(position, plan);
    return {
      number: position.number,
      group: position.group,
      id: position.id,
      name: position.name ?? position.id,
      alternatives: position.otherNames,
      modelled: position.modelled,
      runs: verdict.runs,
      reason: verdict.reason,
      knobs: position.pass === null ? [] : knobsReadBy(position.pass).map(knobLabel),
    };
  });
}

export function knobRows(): readonly KnobRow[] {
  return KNOBS.map(
    (knob): KnobRow => ({
      key: knob.key,
      index: knob.index,
      name: knobLabel(knob),
      rot13: knob.rot13,
      type: knob.type,
      default: valueText(knob.default, knob.type),
      readBy: knob.readBy,
      doc: knob.doc,
    }),
  );
}

function valueText(value: KnobValue, type: string): string {
  if (value === null) return type === "budget" ? "unbounded" : "unset";
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value);
}

export function opcodeRows(): readonly OpcodeRow[] {
  return Object.entries(OPCODES).map(
    ([name, info]): OpcodeRow => ({
      name,
      family: info.family,
      shape: info.shape,
      mods: info.mods,
      effect: info.effect,
      numbers: info.numbers,
      doc: info.doc,
    }),
  );
}
