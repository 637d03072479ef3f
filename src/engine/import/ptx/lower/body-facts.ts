/** Facts about a whole body, found when a row first needs them: most bodies need none. */

import type { VariableAst } from "../ast.ts";
import { operandNames } from "../cfg.ts";
import type { Lowering } from "./context.ts";

/** Registers that one `mov` of a constant defines and nothing else, by PTX name. */
export function constantsOf(c: Lowering): ReadonlyMap<string, number> {
  c.constants ??= findConstants(c);
  return c.constants;
}

/** How often ld.param reads each variable. */
export function slotReadsOf(c: Lowering): ReadonlyMap<VariableAst, number> {
  c.slotReads ??= countSlotReads(c);
  return c.slotReads;
}

function findConstants({ fn }: Lowering): ReadonlyMap<string, number> {
  const constants = new Map<string, number>();
  const defined = new Set<string>();
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    // Any first mention as an operand counts as a definition: too many only cost a WARPSYNC.
    const [first, second] = stmt.operands;
    if (first === undefined) continue;
    const isConstant = stmt.op.root === "mov" && first.kind === "name" && second?.kind === "int" && stmt.guard === null;
    operandNames(first, (name) => {
      if (defined.has(name)) constants.delete(name);
      else if (isConstant) constants.set(name, Number(BigInt.asIntN(32, BigInt(second.value))));
      defined.add(name);
    });
  }
  if (fn.params.some((p) => p.isReg)) for (const p of fn.params) constants.delete(p.name);
  return constants;
}

function countSlotReads({ fn }: Lowering): ReadonlyMap<VariableAst, number> {
  const reads = new Map<VariableAst, number>();
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst" || stmt.op.root !== "ld" || !stmt.op.mods.includes("param")) continue;
    const from = stmt.operands[1];
    if (from?.kind !== "mem" || from.base === null) continue;
    const named = stmt.scope.find(from.base);
    if (named?.kind === "variable") reads.set(named.variable, (reads.get(named.variable) ?? 0) + 1);
  }
  return reads;
}
