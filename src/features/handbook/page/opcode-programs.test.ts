import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOpcode, OPCODES } from "../../../engine/ir/opcodes.ts";
import { jsonByEntry } from "../../../engine/testing/json-lines.ts";
import { OPCODE_PROGRAMS } from "./opcode-programs.ts";
import { opcodeProgram } from "./testing/opcode-program.ts";

it("has a program for each opcode, as the opcode table makes it and the interpreter runs it", () => {
  const made = Object.fromEntries(
    Object.keys(OPCODES)
      .filter(isOpcode)
      .map((op) => [op, opcodeProgram(op)]),
  );
  for (const [op, { results }] of Object.entries(made)) expect(results, op).not.toEqual([]);
  if (process.env.BLESS !== undefined) writeFileSync(join(import.meta.dirname, "opcode-programs.json"), jsonByEntry(made, 1));
  else expect(OPCODE_PROGRAMS).toEqual(made);
});
