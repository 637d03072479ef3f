/** The holes of a template: which values a sentence takes (checked by the compiler), and how values become facts and focus. */

import type { Editor } from "../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { printInst } from "../text/printer.ts";
import type { Facts, FactValue, Focus } from "../trace/event.ts";

export type BlockRef = Block | BlockId;

/** What a hole may be marked as: `{next:block}`. A hole that is *named* so, `{block}`, is what the remark is about: it is in the focus, too. */
export interface Marked {
  readonly inst: Inst | string | null;
  readonly block: BlockRef | string | null;
  readonly reg: Reg | string | null;
  /** A number is how many there are. */
  readonly insts: readonly (Inst | string)[] | number;
  readonly blocks: readonly (BlockRef | string)[] | number;
  readonly regs: readonly (Reg | string)[] | number;
}

/** A plain value. Ids and registers are numbers without meaning to a reader, so they are refused here: mark the hole. */
export type Plain = string | boolean | null | readonly (string | number)[] | (number & { readonly __brand?: never });

/** A value, or how to make it: made only for a listener. */
type Given<T> = T | (() => T);

/** What a remark is about beyond its sentence: these may be given with any remark whose sentence has no hole of that name. */
export interface About {
  readonly inst?: Given<Inst | InstId | null>;
  readonly block?: Given<BlockRef | null>;
  readonly reg?: Given<Reg | null>;
  readonly insts?: Given<readonly (Inst | InstId)[]>;
  readonly blocks?: Given<readonly (BlockRef | null)[]>;
  readonly regs?: Given<readonly Reg[]>;
  readonly edges?: Given<readonly (readonly [BlockId, BlockId])[]>;
  readonly operands?: Given<readonly (readonly [InstId, number])[]>;
  /** Cells of observed structures, as `ShownTable.node` names them. */
  readonly node?: Given<string>;
  readonly nodes?: Given<readonly string[]>;
  /** Further parts of the focus, where a hole of the sentence has the name of a part and shows something else. */
  readonly focus?: Given<About>;
  /** What a decision is about, where that is not its first instruction or block. */
  readonly about?: Given<string>;
  /** How a decision is performed, where there are several forms. */
  readonly form?: Given<string>;
  /** Which frame around a reason, where the line has several. */
  readonly stays?: string;
  /** Facts that the sentence does not show. */
  readonly also?: Given<Facts>;
}

// --- what the compiler checks ----------------------------------------------------------------------------------------------------

type Hole<S extends string> = S extends `${string}{${infer H}}${infer Rest}` ? H | Hole<Rest> : never;
type NameOf<H> = H extends `${infer N}:${string}` ? N : H;
/** `{n:block|blocks}` chooses words and says nothing about the value. */
type MarkOf<H> = H extends `${string}:${infer M}` ? (M extends keyof Marked ? M : never) : H extends keyof Marked ? H : "plain";
type MarkOfName<H, N> = H extends unknown ? (NameOf<H> extends N ? MarkOf<H> : never) : never;
type ValueOf<M> = [M] extends [never] ? Plain : M extends keyof Marked ? Marked[M] : Plain;

/** The values that a template needs. */
export type Holes<S extends string> = string extends S
  ? Readonly<Record<string, unknown>>
  : { readonly [N in NameOf<Hole<S>> & string]: Given<ValueOf<MarkOfName<Hole<S>, N>>> };

/** The values that a template needs, and what else a remark may be about; or how to make them. */
export type Fill<S extends string> = [S] extends [never] ? never : Given<Holes<S> & Omit<About, NameOf<Hole<S>> & string>>;

/** `Fill` as arguments: a template without holes may go without. */
export type Filling<S extends string> = [S] extends [never]
  ? [never]
  : Record<never, never> extends Holes<S>
    ? [given?: Fill<S>]
    : [given: Fill<S>];

// --- at run time -----------------------------------------------------------------------------------------------------------------

interface Use {
  readonly mark: keyof Marked | "plain";
  /** Named by its kind: what the remark is about. */
  readonly focus: boolean;
}

/** A sentence with its holes. Split when it is first reported: most of a command's sentences never are. */
export class Template {
  private readonly source: string;
  private parts: Parts | null = null;

  constructor(source: string) {
    this.source = source;
  }

  /** Without marks: the template of the event. */
  get text(): string {
    return this.taken().text;
  }

  get uses(): ReadonlyMap<string, Use> {
    return this.taken().uses;
  }

  private taken(): Parts {
    this.parts ??= takeApart(this.source);
    return this.parts;
  }
}

interface Parts {
  readonly text: string;
  readonly uses: ReadonlyMap<string, Use>;
}

const MARKS: ReadonlySet<string> = new Set(["inst", "block", "reg", "insts", "blocks", "regs"] satisfies (keyof Marked)[]);

function takeApart(source: string): Parts {
  const uses = new Map<string, Use>();
  const text = source.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name: string, rest: string | undefined) => {
    if (rest?.includes("|") === true) {
      if (!uses.has(name)) uses.set(name, { mark: "plain", focus: false });
      return whole;
    }
    if (rest !== undefined && !MARKS.has(rest)) throw new Error(`'${whole}' in "${source}": there is no mark '${rest}'`);
    if (rest !== undefined) uses.set(name, { mark: rest as keyof Marked, focus: false });
    else if (MARKS.has(name)) uses.set(name, { mark: name as keyof Marked, focus: true });
    else uses.set(name, { mark: "plain", focus: false });
    return `{${name}}`;
  });
  return { text, uses };
}

const idOf = (item: unknown): number => (typeof item === "object" ? (item as Block | Inst).id : (item as number));

/** The focus that parts named as in `About` add up to, in their order. */
class FocusOf {
  readonly focus: Focus = {};

  add(name: string, value: unknown): void {
    if (value === null || value === undefined) return;
    switch (name) {
      case "block":
        if (typeof value !== "string") this.list("blocks").push(idOf(value));
        return;
      case "inst":
        if (typeof value !== "string") this.list("insts").push(idOf(value));
        return;
      case "reg":
        if (typeof value !== "string") this.list("regs").push(value);
        return;
      case "blocks":
      case "insts":
      case "regs":
        // A hole for a list may be given a mere count, or names.
        if (typeof value === "object")
          for (const item of value as readonly unknown[]) if (item !== null && typeof item !== "string") this.list(name).push(idOf(item));
        return;
      case "node":
        this.list("nodes").push(value);
        return;
      case "nodes":
      case "edges":
      case "operands":
        this.list(name).push(...(value as readonly unknown[]));
        return;
      case "focus":
        for (const [part, item] of Object.entries(value)) this.add(part, item);
    }
  }

  private list(part: keyof Focus): unknown[] {
    const lists = this.focus as Record<keyof Focus, unknown[] | undefined>;
    let list = lists[part];
    if (list === undefined) {
      list = [];
      lists[part] = list;
    }
    return list;
  }
}

/** What a described structure is working on. */
export function focusOf(about: About): Focus {
  const made = new FocusOf();
  for (const [name, value] of Object.entries(about) as [string, unknown][]) made.add(name, typeof value === "function" ? value() : value);
  return made.focus;
}

/** Facts and focus of one remark, in the order in which its values were given. */
export class Filled {
  readonly facts: Record<string, FactValue> = {};
  private readonly about = new FocusOf();
  private readonly edit: Editor;
  private readonly input: Func;

  /** `input`: the function as it came in, for labels of blocks that were removed since. */
  constructor(edit: Editor, input: Func) {
    this.edit = edit;
    this.input = input;
  }

  get focus(): Focus {
    return this.about.focus;
  }

  add(template: Template, given: unknown): this {
    const values = (typeof given === "function" ? given() : given) as Readonly<Record<string, unknown>>;
    for (const name in values) {
      const made = values[name];
      const value: unknown = typeof made === "function" ? made() : made;
      const use = template.uses.get(name);
      if (use !== undefined) this.facts[name] = this.fact(use.mark, value);
      else if (name === "about" || name === "form") this.facts[name] = value as string;
      else if (name === "also") Object.assign(this.facts, value);
      if (use === undefined || use.focus) this.about.add(name, value);
    }
    return this;
  }

  private fact(mark: Use["mark"], value: unknown): FactValue {
    if (mark === "plain" || value === null || value === undefined || typeof value === "string") return (value ?? null) as FactValue;
    switch (mark) {
      case "inst":
        return this.print(value as Inst);
      case "block":
        return this.label(value as BlockRef);
      case "reg":
        return regName(value as Reg);
      default:
        if (typeof value === "number") return value;
        return (value as readonly unknown[]).map((item) => {
          if (typeof item === "string") return item;
          return mark === "insts" ? this.print(item as Inst) : mark === "blocks" ? this.label(item as BlockRef) : regName(item as Reg);
        });
    }
  }

  private print(inst: Inst): string {
    return printInst(this.edit.func, inst);
  }

  private label(block: BlockRef): string {
    if (typeof block === "object") return block.label;
    return (this.edit.func.blocks[block] ?? this.input.blocks[block])?.label ?? `#${block}`;
  }
}
