/** A text that two blocks share exactly when they do the same and go to the same places. */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { branchTarget, fallsThrough } from "../../ir/visit.ts";

/** What a block does and where it leads, as it was when it was examined. */
export class BlockKey {
  private readonly body: readonly Inst[];
  private readonly next: BlockId | null;
  /** A part of the whole: the same for equal blocks, and seldom for others. */
  readonly start: string;
  private text: string | null = null;

  /** A jump at the end and a fall-through to the same block count as the same. */
  constructor(edit: Editor, id: BlockId) {
    const { insts } = edit.block(id);
    const last = insts[insts.length - 1];
    const jump = last !== undefined && last.guard === null && last.ops.length === 1 ? branchTarget(last) : null;
    this.body = jump === null ? insts.slice() : insts.slice(0, -1);
    this.next = jump ?? (fallsThrough(edit.block(id)) ? edit.next(id) : null);
    const [first] = this.body;
    this.start = `${this.body.length} ${first === undefined ? "" : instKey(first)}>${this.next ?? ""}`;
  }

  get whole(): string {
    this.text ??= `${this.body.map(instKey).join(";")}>${this.next ?? ""}`;
    return this.text;
  }
}

/** Values by key. A key is completed only when another one starts like it. */
export class ByKey<T> {
  private readonly starts = new Map<string, { readonly key: BlockKey; value: T } | Map<string, T>>();

  get(key: BlockKey): T | undefined {
    const found = this.starts.get(key.start);
    if (found === undefined) return undefined;
    if (found instanceof Map) return found.get(key.whole);
    return found.key.whole === key.whole ? found.value : undefined;
  }

  set(key: BlockKey, value: T): void {
    const { start } = key;
    const found = this.starts.get(start);
    if (found === undefined) this.starts.set(start, { key, value });
    else if (found instanceof Map) found.set(key.whole, value);
    else if (found.key.whole === key.whole) found.value = value;
    else {
      this.starts.set(
        start,
        new Map([
          [found.key.whole, found.value],
          [key.whole, value],
        ]),
      );
    }
  }
}

function instKey(inst: Inst): string {
  const guard = inst.guard === null ? "" : `@${inst.guard.neg ? "!" : ""}${inst.guard.reg}`;
  return `${guard}${inst.op}.${inst.mods.join(".")} ${inst.ops.map(operandKey).join(",")}`;
}

function operandKey(operand: Operand): string {
  switch (operand.kind) {
    case "reg":
      return `r${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}${operand.not ? "~" : ""}${operand.reg}`;
    case "imm":
    case "imm64":
      return `i${operand.value}`;
    case "f32":
      return `f${operand.bits}`;
    case "f64":
      return `d${operand.hi}:${operand.lo}`;
    case "cbank":
      return `c${operand.bank}:${operand.base ?? ""}:${operand.offset}:${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}`;
    case "mem":
      return `m${operand.base ?? ""}:${operand.index ?? ""}:${operand.offset}`;
    case "sreg":
      return `s${operand.name}`;
    case "label":
      return `l${operand.block}`;
    case "table":
      return `t${operand.name}`;
    case "vec":
    case "list":
      return `v${operand.kind}${operand.regs.join(":")}`;
    case "text":
      return `x${JSON.stringify(operand.text)}`;
    case "sym":
      return `y${operand.name}:${operand.offset}`;
    case "phi":
      return `p${operand.pred}:${operandKey(operand.value)}`;
  }
}
