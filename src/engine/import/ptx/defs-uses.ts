/** Which registers an instruction writes and reads, by PTX's rule: the first operand is the result, with the exceptions listed here. */

import type { InstStmt, OperandAst } from "./ast.ts";

/** Roots without any result. */
const NO_RESULT = new Set([
  "st",
  "red",
  "bra",
  "brx",
  "ret",
  "exit",
  "trap",
  "membar",
  "fence",
  "prefetch",
  "prefetchu",
  "cp",
  "stmatrix",
  "nanosleep",
  "brkpt",
  "pmevent",
  "setmaxnreg",
  "griddepcontrol",
  "sust",
  "sured",
  "discard",
  "stackrestore",
  "applypriority",
  "tensormap",
  "multimem.red",
  "multimem.st",
]);

const NO_RESULT_FORMS: Readonly<Record<string, ReadonlySet<string>>> = {
  wmma: new Set(["store"]),
  wgmma: new Set(["fence", "commit_group", "wait_group"]),
  mbarrier: new Set(["init", "inval", "expect_tx", "complete_tx"]),
  multimem: new Set(["red", "st"]),
};

/** Number of leading operands that are results. */
function resultCount(stmt: InstStmt): number {
  const { root, mods } = stmt.op;
  if (NO_RESULT.has(root)) return 0;
  // An arrival that also expects bytes has the state as its result, as any other.
  const forms = root === "mbarrier" && mods.some((m) => m.startsWith("arrive")) ? undefined : NO_RESULT_FORMS[root];
  if (forms !== undefined && mods.some((m) => forms.has(m))) return 0;
  switch (root) {
    case "bar":
    case "barrier":
      return mods.includes("red") ? 1 : 0;
    case "tcgen05":
      return mods.includes("ld") ? 1 : 0;
    case "mbarrier":
      // mbarrier.arrive without a state: the barrier itself is the first operand.
      return stmt.operands[0]?.kind === "mem" ? 0 : 1;
    default:
      return 1;
  }
}

/** Calls back for every name the instruction mentions, defined or used; what a name is (register, symbol) is the caller's business. */
export function visitNames(stmt: InstStmt, visit: (name: string, part: string, isDef: boolean) => void): void {
  const { operands, op } = stmt;
  if (op.root === "call") {
    const hasResults = operands[0]?.kind === "list";
    for (const [i, o] of operands.entries()) {
      // The last operand of an indirect call is a prototype, no value; it is not a register either, so that it falls through.
      visitOperand(o, hasResults && i === 0, visit);
    }
    return;
  }
  const results = resultCount(stmt);
  // An asynchronous product also reads what it accumulates to.
  const accumulates = op.root === "wgmma" && op.mods.includes("mma_async");
  for (const [i, o] of operands.entries()) {
    visitOperand(o, i < results, visit);
    if (i < results && accumulates) visitOperand(o, false, visit);
  }
}

function visitOperand(o: OperandAst, isDef: boolean, visit: (name: string, part: string, isDef: boolean) => void): void {
  switch (o.kind) {
    case "name":
      visit(o.name, o.part, isDef);
      return;
    case "neg":
    case "not":
      visitOperand(o.of, false, visit);
      return;
    case "pair":
      visitOperand(o.first, isDef, visit);
      visitOperand(o.second, isDef, visit);
      return;
    case "vec":
    case "list":
      for (const item of o.items) visitOperand(item, isDef, visit);
      return;
    case "mem":
      if (o.base !== null) visit(o.base, o.part, false);
      for (const item of o.coords) visitOperand(item, false, visit);
      return;
    case "int":
    case "f32":
    case "f64":
    case "real":
    case "sink":
      return;
  }
}
