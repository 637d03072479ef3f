/** The engine's tables as a handbook lists them: every position, knob and opcode. */

import { KNOBS } from "../../config/knobs.ts";
import { BACKENDS } from "../../config/targets.ts";
import { POSITIONS } from "../../passes/positions.ts";
import type { Plan } from "../../pipeline/plan.ts";
import { passFor } from "../../pipeline/run.ts";
import type { KnobRow, OpcodeRow, PhaseRow } from "../types.ts";
import { knobRows, opcodeRows, phaseRows } from "./rows.ts";
import { type RuleRow, ruleRows } from "./rule-rows.ts";

export interface HandbookPhase extends PhaseRow {
  /** Folder of the pass; null: not modelled. */
  readonly family: string | null;
  /** The part of the pipeline it is in. */
  readonly stage: string;
  /** What it does, in a sentence; empty: not modelled. */
  readonly summary: string;
  /** What is uncertain about the name or the position. */
  readonly remark: string | null;
  readonly pseudocode: readonly string[];
  readonly rules: readonly RuleRow[];
  /** What each backend has in the phase's vtable slot, where it calls through one. */
  readonly slots: readonly BackendSlotRow[];
}

interface BackendSlotRow {
  readonly backend: string;
  readonly symbol: string | null;
  readonly does: string;
  /** The reference gives no handler for this backend: it was chosen. */
  readonly chosen: boolean;
}

export interface HandbookKnob extends KnobRow {
  readonly alsoNamed: readonly string[];
  /** Reference page and section, or `measured`. */
  readonly source: string;
  /** The reference gives no default: it was chosen. */
  readonly chosen: boolean;
}

export interface HandbookTables {
  readonly phases: readonly HandbookPhase[];
  readonly knobs: readonly HandbookKnob[];
  readonly opcodes: readonly OpcodeRow[];
}

/** The tables, with the gates' decisions under a plan. */
export function handbookTables(plan: Plan): HandbookTables {
  const rows = phaseRows(plan);
  return {
    phases: POSITIONS.map((position, i): HandbookPhase => {
      const { id, number, pass, stage, remark } = position;
      const row = rows[i];
      if (row === undefined) throw new Error(`no row for ${id}`);
      const found = passFor(id);
      return {
        ...row,
        family: found?.family ?? null,
        stage,
        summary: found?.summary ?? "",
        remark,
        pseudocode: found?.pseudocode ?? [],
        rules: pass === null ? [] : ruleRows(id),
        slots: pass === null ? [] : slotsOf(number),
      };
    }),
    knobs: knobRows().map((row, i): HandbookKnob => {
      const knob = KNOBS[i];
      if (knob === undefined) throw new Error(`no knob for ${row.key}`);
      return { ...row, alsoNamed: knob.alsoNamed, source: knob.source, chosen: knob.chosen };
    }),
    opcodes: opcodeRows(),
  };
}

function slotsOf(number: number | null): readonly BackendSlotRow[] {
  return Object.entries(BACKENDS).flatMap(([backend, { slots }]) =>
    Object.values(slots)
      .filter((slot) => slot.phase === number)
      .map(({ symbol, does, chosen }) => ({ backend, symbol, does, chosen })),
  );
}
