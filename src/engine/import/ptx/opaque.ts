/** The instruction the model does not know: its text, its registers, and the weakest of six effects that keeps the program's meaning. */

import type { Reg } from "../../ir/ids.ts";
import type { OpaqueEffect } from "../../ir/types.ts";
import type { InstStmt } from "./ast.ts";
import { visitNames } from "./defs-uses.ts";
import { instructionOf } from "./forms.ts";
import type { Lowering } from "./lower/context.ts";
import { homeOf } from "./lower/homes.ts";
import { isSpecialName } from "./sregs.ts";

/** True for the instructions of the PTX language, modelled or not. */
export function isPtxRoot(root: string): boolean {
  return instructionOf(root) !== undefined;
}

/**
 * The effect that the table of instructions has for the root, or what a form of it needs. Volatile state (clocks) and unknown roots become `call`: it may read
 * and write anything and is never deleted, repeated or moved.
 */
export function effectOfStatement(stmt: InstStmt): OpaqueEffect {
  const { root, mods } = stmt.op;
  const effect = instructionOf(root)?.effect ?? "call";
  if (root === "wmma" && (mods.includes("load") || mods.includes("store"))) return "barrier";
  if (root === "cp" || root === "tensormap") return mods.includes("reduce") ? "call" : "barrier";
  if (effect === "load" && ["volatile", "acquire", "relaxed", "mmio"].some((mod) => mods.includes(mod))) return "barrier";
  if (effect === "pure" && readsChangingState(stmt)) return "call";
  return effect === "control" ? "call" : effect;
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
    for (const r of registersOf(c, stmt, name, part)) {
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

function registersOf(c: Lowering, stmt: InstStmt, name: string, part: string): readonly Reg[] {
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
    case "unknown":
      if (stmt.op.root !== "call" && !isSpecialName(name, part)) c.reportUndeclared(name);
      return [];
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
