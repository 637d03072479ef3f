/** Lanes and threads together: shuffles, votes, matches, reductions, barriers, fences. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { PT } from "../../../ir/reg.ts";
import type { OperandAst } from "../ast.ts";
import { B32 } from "../types.ts";
import { constantsOf } from "./body-facts.ts";
import type { Lowering, Row } from "./context.ts";
import { has, typeAt, wideMods } from "./modifiers.ts";

/** Waits for the lanes of a mask that is not known to be full, as the hardware's code does; a full one needs no instruction. */
function sync(c: Lowering, mask: OperandAst | undefined) {
  if (mask === undefined || isFull(c, mask)) return;
  c.emit("WARPSYNC", [c.read32(mask)]);
}

function isFull(c: Lowering, mask: OperandAst): boolean {
  if (mask.kind === "int") return BigInt.asUintN(32, BigInt(mask.value)) === 0xffffffffn;
  return mask.kind === "name" && constantsOf(c).get(mask.name) === -1;
}

const SHUFFLES: Readonly<Record<string, string>> = { idx: "IDX", up: "UP", down: "DOWN", bfly: "BFLY" };

const shfl: Row = (c, op, a) => {
  const mode = op.mods.map((m) => SHUFFLES[m]).find((m) => m !== undefined);
  const [to, value, lane, clamp, mask] = a;
  if (mode === undefined || to === undefined || clamp === undefined) return c.fail();
  if (has(op, "sync")) sync(c, mask);
  const sources = [c.read32(value), c.read32(lane), c.read32(clamp)];
  if (to.kind === "pair") c.emit("SHFL", [c.defPred(to.second), c.def(to.first, B32), ...sources], [mode]);
  else c.emit("SHFL", [c.def(to, B32), ...sources], [mode]);
};

const vote: Row = (c, op, a) => {
  const [to, from, mask] = a;
  if (has(op, "sync")) sync(c, mask);
  const p = c.readPred(from);
  if (has(op, "ballot")) return c.emit("VOTE", [c.def(to, B32), p], ["BALLOT"]);
  const d = c.defPred(to);
  if (has(op, "all")) return c.emit("VOTE", [d, p], ["ALL"]);
  if (has(op, "any")) return c.emit("VOTE", [d, p], ["ANY"]);
  if (!has(op, "uni") || p.kind !== "reg") return c.fail();
  // The same everywhere: true in all lanes, or false in all lanes.
  const all = c.value("P", "VOTE", [p], ["ALL"]);
  const none = c.value("P", "VOTE", [{ ...p, neg: !p.neg }], ["ALL"]);
  c.emit("PLOP3", [d, all, none, regOp(PT), immOp(0xfc)]);
};

const match: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const [to, value, mask] = a;
  if (to === undefined) return c.fail();
  sync(c, mask);
  const mods = [has(op, "all") ? "ALL" : "ANY", ...wideMods(type)];
  if (to.kind === "pair") c.emit("MATCH", [c.def(to.first, B32), c.defPred(to.second), c.read(value, type)], mods);
  else c.emit("MATCH", [c.def(to, B32), c.read(value, type)], mods);
};

const REDUCTIONS = new Set(["add", "min", "max", "and", "or", "xor"]);

const redux: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const operation = op.mods.find((m) => REDUCTIONS.has(m));
  if (operation === undefined || type.kind === "f") return c.fail();
  sync(c, a[2]);
  const ordered = operation === "min" || operation === "max";
  c.emit("REDUX", [c.def(a[0], B32), c.read32(a[1])], [operation.toUpperCase(), ...(ordered && type.kind !== "s" ? ["U32"] : [])]);
};

const activemask: Row = (c, _op, a) => c.emit("ACTIVEMASK", [c.def(a[0], B32)]);

/** `bar.red.popc.u32 d, a{, b}, p` and its like: the threads that wait vote. */
function blockReduction(c: Lowering, op: Parameters<Row>[1], a: readonly OperandAst[]) {
  const kind = ["popc", "and", "or"].find((m) => has(op, m));
  const [to, number, ...rest] = a;
  const vote = rest.pop();
  if (kind === undefined || vote === undefined || rest.length > 1) return c.fail();
  const result = kind === "popc" ? c.def(to, B32) : c.defPred(to);
  c.emit("BARRED", [result, c.read32(number), ...rest.map((o) => c.read32(o)), c.readPred(vote)], [kind.toUpperCase()]);
}

/** bar.sync, barrier.sync, bar.red, bar.warp.sync; arrivals are opaque. */
const bar: Row = (c, op, a) => {
  if (has(op, "red") && !has(op, "cluster")) return blockReduction(c, op, a);
  if (!has(op, "sync") || has(op, "cluster") || has(op, "red") || has(op, "arrive") || a.length === 0) return c.fail();
  if (has(op, "warp")) return c.emit("WARPSYNC", [c.read32(a[0])]);
  c.emit(
    "BAR",
    a.slice(0, 2).map((o) => c.read32(o)),
    ["SYNC"],
  );
};

const nanosleep: Row = (c, _op, a) => c.emit("NANOSLEEP", [c.read32(a[0])]);

const LEVELS: Readonly<Record<string, string>> = { cta: "CTA", cluster: "GPU", gl: "GPU", gpu: "GPU", sys: "SYS" };

function fence(orderOf: (c: Lowering, mods: readonly string[]) => string | null): Row {
  return (c, op) => {
    const level = op.mods.map((m) => LEVELS[m]).find((m) => m !== undefined);
    const order = orderOf(c, op.mods);
    const rest = op.mods.filter((m) => LEVELS[m] === undefined && m !== "sc" && m !== "acq_rel");
    if (order === null || level === undefined || rest.length > 0) return c.fail();
    c.emit("MEMBAR", [], [order, level]);
  };
}

export const WARP: Readonly<Record<string, Row>> = {
  shfl,
  vote,
  match,
  redux,
  activemask,
  bar,
  barrier: bar,
  nanosleep,
  membar: fence(() => "SC"),
  fence: fence((_c, mods) => (mods.includes("sc") ? "SC" : "ALL")),
};
