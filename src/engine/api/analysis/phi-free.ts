/** A text with the PHIs of one body removed, for phases that need a program without PHIs. */

import { outOfSsa } from "../../ir/out-of-ssa.ts";
import { regName } from "../../ir/reg.ts";
import type { Module } from "../../ir/types.ts";
import { printModule } from "../../text/printer.ts";
import { verifyChange } from "../../verify/verify.ts";
import type { PhiFree } from "../types.ts";

/** Names listed in the sentence; the rest is counted. */
const MOST_NAMES = 4;

/** Null: the module has no body of that name. */
export function phiFree(module: Module, name: string): PhiFree | null {
  const before = module.funcs.find((fn) => fn.name === name);
  if (before === undefined) return null;
  const { fn, phis, copies, edgeBlocks, fresh, carried } = outOfSsa(before);
  const counts = { phis, copies, blocks: edgeBlocks.length, registers: fresh.length };
  const problem = verifyChange(before, fn, module).find((d) => d.severity === "error");
  if (problem !== undefined) {
    const sentence = `The PHIs of ${name} cannot be replaced: ${problem.code} ${problem.message}.`;
    return { ok: false, text: printModule(module), sentence, ...counts };
  }
  if (phis === 0) return { ok: true, text: printModule(module), sentence: `${name} has no PHIs.`, ...counts };
  const text = printModule({ ...module, funcs: module.funcs.map((one) => (one === before ? fn : one)) });
  const parts = [
    `${count(phis, "PHI")} of ${name} became ${count(copies, "copy", "copies")} in the predecessors of ${phis === 1 ? "its block" : "their blocks"}`,
    ...(copies > 0 ? ["the copies of each edge read all values before they overwrite any"] : []),
    ...(edgeBlocks.length > 0
      ? [
          `${count(edgeBlocks.length, "way")} out of a branch got a block of ${edgeBlocks.length === 1 ? "its" : "their"} own (${list(edgeBlocks)})`,
        ]
      : []),
    ...(fresh.length > 0
      ? [
          `the fresh ${fresh.length === 1 ? "register" : "registers"} ${list(fresh.map(regName))} ${fresh.length === 1 ? "keeps" : "keep"} what would be overwritten too early`,
        ]
      : []),
    ...(carried.length > 0
      ? [`values for ${list(carried)} are passed in fresh registers, because several jumps share the table that leads there`]
      : []),
  ];
  return { ok: true, text, sentence: `${parts.join("; ")}.`, ...counts };
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const list = (names: readonly string[]): string =>
  names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more` : names.join(", ");
