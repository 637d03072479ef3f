/**
 * The state at a step on its way from the engine's worker. An instruction as the page shows it is some fifty small objects, and the browser makes those of a whole message in
 * one task: of 50,000 instructions that takes seconds. So they travel as columns: their texts as one string, and for each the number of its form, which says how a text like it
 * is cut into tokens. The page cuts those of an instruction when something first asks.
 */

import type { BlockView, InstView, StateDelta } from "../engine/api/types.ts";

type Token = InstView["tokens"][number];

/** A register's name: as it is in the token's text, by place and length, or in full where the text has it otherwise. */
type RegPlace = readonly [at: number, length: number] | string;

interface TokenForm {
  readonly length: number;
  readonly kind: Token["kind"];
  readonly operand: number | null;
  readonly regs: readonly RegPlace[];
  readonly def: boolean;
}

/** What instructions have in common whose texts differ in names and numbers only. */
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

/** What moves to the page instead of being copied. */
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
