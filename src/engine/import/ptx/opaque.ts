/** The instruction the model does not know: its text, its registers, and the weakest of six effects that keeps the program's meaning. */

import type { Reg } from "../../ir/ids.ts";
import type { OpaqueEffect } from "../../ir/types.ts";
import type { InstStmt } from "./ast.ts";
import { visitNames } from "./defs-uses.ts";
import type { Lowering } from "./lower/context.ts";
import { homeOf } from "./lower/homes.ts";

const CONVERGENT = new Set(["elect", "vote", "shfl", "match", "redux", "activemask"]);

const BARRIERS = new Set(["bar", "barrier", "membar", "fence", "mbarrier", "griddepcontrol", "nanosleep", "setmaxnreg"]);

/** Write memory, or ask for it to be written later; a prefetch writes nothing but must stay where it is, which a store does. */
const STORES = new Set(["st", "sust", "prefetch", "prefetchu", "discard", "applypriority"]);

const LOADS = new Set(["ld", "ldu", "tex", "tld4", "suld", "txq", "suq"]);

/** The lanes of a warp hold the operands together, and memory is read or written for all of them: neither is a load of one's own. */
const TOGETHER = new Set(["ldmatrix", "stmatrix", "movmatrix"]);

/** Arithmetic that depends on nothing but its operands. */
const PURE = new Set([
  ..."add sub addc subc mul mad madc fma mul24 mad24 div rem abs neg min max sad dp4a dp2a".split(" "),
  ..."rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign testp and or xor not cnot shl shr shf lop3 prmt bfe bfi popc brev clz bfind fns bmsk szext".split(
    " ",
  ),
  ..."setp set slct selp mov cvt cvta isspacep mapa istypep getctarank".split(" "),
  ..."vadd vsub vabsdiff vmin vmax vshl vshr vmad vset vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2".split(" "),
  ..."vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4".split(" "),
]);

const OTHERS = new Set(
  "atom red multimem wgmma tcgen05 wmma mma cp tensormap call createpolicy pmevent alloca stacksave stackrestore clusterlaunchcontrol st bulk".split(
    " ",
  ),
);

/** True for the instructions of the PTX language, modelled or not. */
export function isPtxRoot(root: string): boolean {
  return (
    PURE.has(root) ||
    LOADS.has(root) ||
    STORES.has(root) ||
    BARRIERS.has(root) ||
    CONVERGENT.has(root) ||
    TOGETHER.has(root) ||
    OTHERS.has(root)
  );
}

/**
 * The effect classes of real code mapped on the six that OPAQUE has. Products of matrices, made by the lanes of a warp from what all of them hold, are `warp`. Atomics, volatile state (clocks, createpolicy) and roots nobody knows become `call`: it
 * may read and write anything and is never deleted, repeated or moved. Orders and convergence become `barrier`.
 */
export function effectOfStatement(stmt: InstStmt): OpaqueEffect {
  const { root, mods } = stmt.op;
  if (BARRIERS.has(root) || CONVERGENT.has(root)) return "barrier";
  if (TOGETHER.has(root)) return root === "movmatrix" ? "warp" : "barrier";
  switch (root) {
    case "call":
    case "atom":
    case "red":
    case "multimem":
      return "call";
    case "wgmma":
    case "tcgen05":
      return "barrier";
    case "mma":
      return "warp";
    case "wmma":
      return mods.includes("load") || mods.includes("store") ? "barrier" : "warp";
    // Reads and writes memory, later than where it stands.
    case "cp":
    case "tensormap":
      return mods.includes("reduce") ? "call" : "barrier";
    default:
      break;
  }
  if (STORES.has(root)) return "store";
  if (LOADS.has(root)) return mods.some((m) => m === "volatile" || m === "acquire" || m === "relaxed" || m === "mmio") ? "barrier" : "load";
  if (PURE.has(root)) return readsChangingState(stmt) ? "call" : "pure";
  return "call";
}

/** A clock or counter that the model has no name for, and the flags of a carry chain, are not operands one can see. */
function readsChangingState(stmt: InstStmt): boolean {
  if (stmt.op.mods.includes("cc") || stmt.op.root === "addc" || stmt.op.root === "subc" || stmt.op.root === "madc") return true;
  return stmt.operands.some((o) => o.kind === "name" && /^%(?:clock|globaltimer|pm\d)/.test(o.name));
}

/** Emits the statement as OPAQUE with its exact definitions and uses; its guard stays a guard. */
export function emitOpaque(c: Lowering, stmt: InstStmt, text: string): void {
  const defs: Reg[] = [];
  const uses: Reg[] = [];
  visitNames(stmt, (name, part, isDef) => {
    for (const r of registersOf(c, name, part)) {
      const list = isDef ? defs : uses;
      if (!list.includes(r)) list.push(r);
    }
  });
  c.emit(
    "OPAQUE",
    [
      { kind: "list", regs: defs },
      { kind: "list", regs: uses },
      { kind: "text", text },
    ],
    [effectOfStatement(stmt)],
  );
}

function registersOf(c: Lowering, name: string, part: string): readonly Reg[] {
  const meaning = c.meaning(name, part);
  switch (meaning.kind) {
    case "register": {
      const { parts } = meaning.register;
      if (parts === null) return [c.reg(meaning.register)];
      return [...new Set(parts.values())].map((p) => c.reg(p));
    }
    case "variable": {
      if (meaning.variable.space !== "param") return [];
      const home = homeOf(c, meaning.variable);
      return home?.kind === "slot" ? home.regs : [];
    }
    default:
      return [];
  }
}

/** The instruction's own text on one line, single blanks, without guard and `;`. */
export function sourceText(text: string, stmt: InstStmt): string {
  const raw = text.slice(stmt.start, Math.min(stmt.end, stmt.start + 2000));
  return raw
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
