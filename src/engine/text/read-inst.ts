/** Reads a single instruction: for passes that write instructions as text. */

import { closest } from "../../base/closest.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import type { Guard, Operand } from "../ir/types.ts";
import { Cursor } from "./cursor.ts";
import { Diagnostics } from "./diagnostics.ts";
import { InstructionReader, type NameUse } from "./instruction.ts";
import { clip } from "./mnemonic.ts";
import { OperandReader } from "./operands.ts";

export interface ReadInst {
  readonly op: Opcode;
  readonly mods: readonly string[];
  readonly guard: Guard | null;
  readonly ops: readonly Operand[];
}

/** What the names in the line mean. */
export interface InstNames {
  readonly label: (name: string) => BlockId | null;
  readonly labels: () => readonly string[];
  readonly hasTable: (name: string) => boolean;
  readonly symbol: (name: string) => number | null;
}

/** A string says what is wrong with the line. */
export function readInst(text: string, names: InstNames): ReadInst | string {
  const diagnostics = new Diagnostics();
  const cursor = new Cursor(text, diagnostics);
  const operands = new OperandReader(cursor.lexer, cursor.report, names.symbol);
  operands.startBody();
  const raw = new InstructionReader(cursor.lexer, operands, cursor, names.symbol).read();
  if (raw !== null && !cursor.atEnd()) cursor.error("ORI017", `Expected the end of the line, found '${clip(cursor.lexer.slice())}'.`);
  const error = diagnostics.finish().find((d) => d.severity === "error");
  if (raw === null || error !== undefined) return error?.message ?? "It is not an instruction.";
  const ops = [...raw.ops];
  for (const use of raw.names) {
    const problem = resolve(ops, use, names);
    if (problem !== null) return problem;
  }
  return { op: raw.op, mods: raw.mods, guard: raw.guard, ops };
}

function resolve(ops: Operand[], use: NameUse, names: InstNames): string | null {
  const operand = ops[use.operand];
  if (operand === undefined) return null;
  if (use.kind === "table") return names.hasTable(use.name) ? null : `There is no table ${clip(use.name)}.`;
  const block = names.label(use.name);
  if (block === null) {
    const guess = closest(use.name, names.labels());
    return `There is no label ${clip(use.name)}${guess === null ? "" : `; did you mean ${guess}?`}.`;
  }
  if (operand.kind === "phi") {
    if (ops.some((o, i) => i !== use.operand && o.kind === "phi" && o.pred === block))
      return `The PHI has two inputs for ${clip(use.name)}.`;
    ops[use.operand] = { ...operand, pred: block };
  } else ops[use.operand] = { kind: "label", block };
  return null;
}
