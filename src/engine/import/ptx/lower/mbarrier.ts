/** Barrier objects in shared memory: their counts are kept where all that arrives in a function is an instruction that counts. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { RDZ } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { FunctionAst, InstStmt, OperandAst } from "../ast.ts";
import { B32, B64 } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { address } from "./memory.ts";
import { has } from "./modifiers.ts";

const KINDS: Readonly<Record<string, string>> = {
  init: "INIT",
  inval: "INVAL",
  arrive: "ARRIVE",
  arrive_drop: "DROP",
  expect_tx: "EXPECT",
  complete_tx: "COMPLETE",
};
const QUESTIONS = new Set(["test_wait", "try_wait", "pending_count"]);
const HINTS = new Set(["shared", "shared::cta", "b64", "release", "acquire", "relaxed", "cta", "cluster", "noComplete", "parity"]);

const named = (mods: readonly string[]): string => mods.find((m) => KINDS[m] !== undefined || QUESTIONS.has(m)) ?? "";

/** Words beyond these reach other blocks (`.shared::cluster`). */
function isCounted({ op }: InstStmt): boolean {
  if (op.root === "cp")
    return has(op, "mbarrier") && op.mods.every((m) => HINTS.has(m) || ["async", "mbarrier", "arrive", "noinc"].includes(m));
  return (
    op.root === "mbarrier" && named(op.mods) !== "" && op.mods.every((m) => HINTS.has(m) || KINDS[m] !== undefined || QUESTIONS.has(m))
  );
}

/** False if something outside the model arrives (a bulk copy, another block): a wait for it would never end. */
function countsArrivals(c: Lowering): boolean {
  c.arrivalsCount ??= allCount(c.fn);
  return c.arrivalsCount;
}

function allCount(fn: FunctionAst): boolean {
  return (fn.body ?? []).every(
    (stmt) =>
      stmt.kind !== "inst" || isCounted(stmt) || (stmt.op.root !== "mbarrier" && !stmt.op.mods.some((m) => m.startsWith("mbarrier"))),
  );
}

/** In shared memory, where the address is a shared one. */
function place(c: Lowering, o: OperandAst | undefined): Operand {
  return address(c, o, "shared");
}

const mbarrier: Row = (c, op, a) => {
  if (!countsArrivals(c)) return c.fail();
  const what = named(op.mods);
  if (what === "pending_count") {
    const low = c.value("R", "UNPACK", [c.read64(a[1])], ["LO"]);
    return c.emit("LOP", [c.def(a[0], B32), low, immOp(0xf_ffff)], ["AND"]);
  }
  if (QUESTIONS.has(what)) {
    // A fourth operand limits the time that may be waited.
    const phase = has(op, "parity") ? c.read32(a[2]) : c.read64(a[2]);
    return c.emit("PHASECHK", [c.defPred(a[0]), place(c, a[1]), phase], has(op, "parity") ? [] : ["64"]);
  }
  const gives = what.startsWith("arrive") && a[0]?.kind !== "mem";
  const [at, ...counts] = gives ? a.slice(1) : a;
  const result = gives ? c.def(a[0], B64) : regOp(RDZ);
  const read = counts.map((o) => c.read32(o));
  // With bytes that it announces, an arrival is one.
  const operands = what.startsWith("arrive") && has(op, "expect_tx") ? [immOp(1), ...read] : read;
  c.emit("SYNCS", [result, place(c, at), ...operands], [KINDS[what] ?? ""]);
};

/** `cp.async.mbarrier.arrive`: the thread waits for its copies at this instruction, one of the times at which they may be complete. Without `.noinc` the arrival is one more that the phase waits for. */
export function arriveAfterCopies(c: Lowering, op: Parameters<Row>[1], a: readonly OperandAst[]): void {
  if (!countsArrivals(c)) c.fail();
  c.emit("LDGDEPBAR", []);
  c.emit("DEPBAR", [immOp(0)]);
  if (has(op, "noinc")) c.emit("SYNCS", [regOp(RDZ), place(c, a[0])], ["ARRIVE"]);
}

export const MBARRIER: Readonly<Record<string, Row>> = { mbarrier };
