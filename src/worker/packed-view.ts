/**
 * The state at a step as sent by the engine's worker. An instruction as the page shows it consists of some fifty small objects, and the browser creates those of a message in
 * one task: for 50,000 instructions that takes seconds. So they are sent as columns: their texts as one string, and for each the number of its form, which defines how such a text
 * is split into tokens. The page splits an instruction's text when its tokens are first read.
 */

import type { BlockView, InstView, StateDelta } from "../engine/api/types.ts";

type Token = InstView["tokens"][number];

/** A register's name: position and length in the token's text, or the full name if the text spells it differently. */
type RegPlace = readonly [at: number, length: number] | string;

interface TokenForm {
  readonly length: number;
  readonly kind: Token["kind"];
  readonly operand: number | null;
  readonly regs: readonly RegPlace[];
  readonly def: boolean;
}

/** What instructions whose texts differ only in names and numbers have in common. */
interface Form {
  readonly op: string;
  readonly effect: InstView["effect"];
  readonly tokens: readonly TokenForm[];
}

/** The instructions of all blocks, one after the other. */
interface Columns {
  readonly texts: string;
  /** Where each text ends. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly ids: Int32Array<ArrayBuffer>;
  readonly lines: Int32Array<ArrayBuffer>;
  readonly forms: readonly Form[];
  readonly form: Uint32Array<ArrayBuffer>;
  /** Instructions of each block. */
  readonly counts: Uint32Array<ArrayBuffer>;
}

export interface PackedDelta extends Omit<StateDelta, "blocks"> {
  readonly bare: readonly Omit<BlockView, "insts">[];
  readonly columns: Columns;
}

export function packDelta({ blocks, ...rest }: StateDelta): PackedDelta {
  const insts = blocks.flatMap((block) => block.insts);
  const forms: Form[] = [];
  const known = new Map<string, number>();
  const formOf = (inst: InstView): number => {
    const form = { op: inst.op, effect: inst.effect, tokens: inst.tokens.map(tokenForm) };
    const key = JSON.stringify(form);
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, forms.length);
    return forms.push(form) - 1;
  };
  let end = 0;
  return {
    ...rest,
    bare: blocks.map(({ insts: _, ...block }) => block),
    columns: {
      texts: insts.map((inst) => inst.text).join(""),
      ends: Uint32Array.from(insts, (inst) => {
        end += inst.text.length;
        return end;
      }),
      ids: Int32Array.from(insts, (inst) => inst.id),
      lines: Int32Array.from(insts, (inst) => inst.line),
      form: Uint32Array.from(insts, formOf),
      forms,
      counts: Uint32Array.from(blocks, (block) => block.insts.length),
    },
  };
}

/** What is transferred to the page instead of copied. */
export function columnsOf({ columns: { ends, ids, lines, form, counts } }: PackedDelta): readonly ArrayBuffer[] {
  return [ends.buffer, ids.buffer, lines.buffer, form.buffer, counts.buffer];
}

function tokenForm({ text, kind, operand, regs, def }: Token): TokenForm {
  const places = regs.map((name): RegPlace => {
    const at = text.indexOf(name);
    return at < 0 ? name : [at, name.length];
  });
  return { length: text.length, kind, operand, regs: places, def };
}

/** Engines of earlier releases answer with what the page works with. */
export const isPacked = (answer: unknown): answer is PackedDelta => typeof answer === "object" && answer !== null && "columns" in answer;

export function unpackDelta({ bare, columns, ...rest }: PackedDelta): StateDelta {
  let next = 0;
  const blocks = bare.map((block, i): BlockView => {
    const first = next;
    next += columns.counts[i] ?? 0;
    return { ...block, insts: Array.from({ length: next - first }, (_, k) => instAt(columns, first + k)) };
  });
  return { ...rest, blocks };
}

function instAt({ texts, ends, ids, lines, forms, form }: Columns, i: number): InstView {
  const text = texts.slice(ends[i - 1] ?? 0, ends[i]);
  return new UnpackedInst(ids[i] ?? -1, text, lines[i] ?? 0, forms[form[i] ?? 0] ?? NO_FORM);
}

const NO_FORM: Form = { op: "", effect: "pure", tokens: [] };

class UnpackedInst implements InstView {
  readonly id: number;
  readonly text: string;
  readonly line: number;
  readonly op: string;
  readonly effect: InstView["effect"];
  private form: Form | null;
  private cut: readonly Token[] = [];

  constructor(id: number, text: string, line: number, form: Form) {
    this.id = id;
    this.text = text;
    this.line = line;
    this.op = form.op;
    this.effect = form.effect;
    this.form = form;
  }

  get tokens(): readonly Token[] {
    if (this.form !== null) {
      this.cut = tokensOf(this.text, this.form.tokens);
      this.form = null;
    }
    return this.cut;
  }
}

function tokensOf(text: string, forms: readonly TokenForm[]): readonly Token[] {
  let at = 0;
  return forms.map(({ length, kind, operand, regs, def }) => {
    const own = text.slice(at, at + length);
    at += length;
    return { text: own, kind, operand, regs: regs.map((reg) => (typeof reg === "string" ? reg : own.slice(reg[0], reg[0] + reg[1]))), def };
  });
}
