/** Columnar storage of events: about 100 bytes per event, so that a million of them fit; sentences and objects are built on demand. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { float64Column, Interner, int32Column, uint8Column, uint16Column } from "./column.ts";
import type { Facts, FactValue, Focus } from "./event.ts";
import { EVENT_KINDS, type EventKind } from "./kinds.ts";

/** Template number of the event of an edit: its `payload` is the journal entry, everything else is derived from the operation. */
export const EDIT_TEMPLATE = -1;

const MAX_DEPTH = 255;
const MAX_LINE = 65_535;

const TAG = { number: 0, string: 1, true: 2, false: 3, null: 4, list: 5 } as const;
const PART = { blocks: 0, edges: 1, insts: 2, operands: 3, regs: 4, nodes: 5 } as const;

interface Shape {
  readonly keys: readonly string[];
  readonly id: number;
}

const KIND_INDEX: ReadonlyMap<EventKind, number> = new Map(EVENT_KINDS.map((kind, i) => [kind, i]));

export const kindIndex = (kind: EventKind): number => KIND_INDEX.get(kind) ?? 0;

/** Calls for each thing an event is about; a false or missing callback skips that part. */
export interface FocusVisitor {
  readonly block?: (id: number) => void;
  readonly edge?: (from: number, to: number) => void;
  readonly inst?: (id: number) => void;
  readonly operand?: (inst: number, operand: number) => void;
  readonly reg?: (reg: number) => void;
  /** `id` is a number of `Tape.names`. */
  readonly node?: (id: number) => void;
}

export class Tape {
  readonly kinds = uint8Column();
  readonly depths = uint8Column();
  readonly parents = int32Column();
  readonly lines = uint16Column();
  /** 1 where the step changed the program. */
  readonly changes = uint8Column();
  /** Journal entries that belong to the state of the step and of all before it. */
  readonly positions = int32Column();
  /** Strings of facts and node names. */
  readonly names = new Interner();
  private readonly templates = new Interner();
  private readonly added = new Map<number, Facts>();
  private readonly templateOf = int32Column();
  /** Start of the facts in `values`; for an edit, its journal entry. */
  private readonly payloads = int32Column();
  private readonly shapeOf = int32Column();
  private readonly values = float64Column();
  private readonly tags = uint8Column();
  private readonly lists: (readonly (string | number)[])[] = [];
  private readonly focusAt = int32Column();
  private readonly focus = int32Column();
  private readonly shapes: Shape[] = [];
  private readonly shapeByKeys = new Map<string, Shape>();
  private readonly shapeByTemplate: (Shape | undefined)[] = [];

  get length(): number {
    return this.kinds.length;
  }

  /** Appends an event that a pass or a structure reported. */
  push(
    kind: EventKind,
    line: number,
    parent: number,
    depth: number,
    position: number,
    template: string,
    facts: Facts,
    focus: Focus,
  ): number {
    const step = this.head(kind, line, parent, depth, position, false);
    const id = this.templates.id(template);
    this.templateOf.push(id);
    this.payloads.push(this.values.length);
    this.shapeOf.push(this.pushFacts(id, facts));
    this.focusAt.push(this.focus.length);
    this.pushFocus(focus);
    return step;
  }

  /** Appends the event of an edit; `entry` is its index in the journal. */
  pushEdit(kind: EventKind, line: number, parent: number, depth: number, position: number, entry: number, change: boolean): number {
    const step = this.head(kind, line, parent, depth, position, change);
    this.templateOf.push(EDIT_TEMPLATE);
    this.payloads.push(entry);
    this.shapeOf.push(-1);
    this.focusAt.push(this.focus.length);
    return step;
  }

  kindOf(step: number): EventKind {
    return EVENT_KINDS[this.kinds.get(step)] ?? "note";
  }

  /** The journal entry of an edit event; -1 for any other event. */
  editEntry(step: number): number {
    return this.templateOf.get(step) === EDIT_TEMPLATE ? this.payloads.get(step) : -1;
  }

  template(step: number): string {
    return this.templates.text(this.templateOf.get(step));
  }

  facts(step: number): Facts {
    const shape = this.shapes[this.shapeOf.get(step)];
    const facts: Record<string, FactValue> = {};
    if (shape === undefined) return facts;
    let at = this.payloads.get(step);
    for (const key of shape.keys) facts[key] = this.value(at++);
    return Object.assign(facts, this.added.get(step));
  }

  /** Facts that are found out once the events are recorded. */
  addFacts(step: number, facts: Facts): void {
    this.added.set(step, facts);
  }

  /** One fact by name, without building the others; undefined when the event has none of that name. */
  fact(step: number, name: string): FactValue | undefined {
    const index = this.shapes[this.shapeOf.get(step)]?.keys.indexOf(name) ?? -1;
    return index < 0 ? this.added.get(step)?.[name] : this.value(this.payloads.get(step) + index);
  }

  focusOf(step: number): Focus {
    const found: { -readonly [K in keyof Focus]: Focus[K] } = {};
    const blocks: BlockId[] = [];
    const edges: [BlockId, BlockId][] = [];
    const insts: InstId[] = [];
    const operands: [InstId, number][] = [];
    const regs: Reg[] = [];
    const nodes: string[] = [];
    this.visitFocus(step, {
      block: (id) => blocks.push(id as BlockId),
      edge: (from, to) => edges.push([from as BlockId, to as BlockId]),
      inst: (id) => insts.push(id as InstId),
      operand: (inst, operand) => operands.push([inst as InstId, operand]),
      reg: (r) => regs.push(r as Reg),
      node: (id) => nodes.push(this.names.text(id)),
    });
    if (blocks.length > 0) found.blocks = blocks;
    if (edges.length > 0) found.edges = edges;
    if (insts.length > 0) found.insts = insts;
    if (operands.length > 0) found.operands = operands;
    if (regs.length > 0) found.regs = regs;
    if (nodes.length > 0) found.nodes = nodes;
    return found;
  }

  /** Walks what an event is about without building objects. Edit events have nothing here. */
  visitFocus(step: number, visit: FocusVisitor): void {
    const end = step + 1 < this.focusAt.length ? this.focusAt.get(step + 1) : this.focus.length;
    for (let at = this.focusAt.get(step); at < end; ) {
      const head = this.focus.get(at++);
      const count = head >>> 3;
      const part = head & 7;
      const pairs = part === PART.edges || part === PART.operands;
      const stop = at + (pairs ? 2 * count : count);
      for (; at < stop; at += pairs ? 2 : 1) {
        const a = this.focus.get(at);
        if (part === PART.blocks) visit.block?.(a);
        else if (part === PART.edges) visit.edge?.(a, this.focus.get(at + 1));
        else if (part === PART.insts) visit.inst?.(a);
        else if (part === PART.operands) visit.operand?.(a, this.focus.get(at + 1));
        else if (part === PART.regs) visit.reg?.(a);
        else visit.node?.(a);
      }
    }
  }

  /** Gives back reserved space once nothing more comes. */
  trim(): void {
    for (const column of this.columns()) column.trim();
  }

  /** Bytes of the columns (strings not counted). */
  get bytes(): number {
    return this.columns().reduce((sum, column) => sum + column.bytes, 0);
  }

  private columns(): { trim(): void; readonly bytes: number }[] {
    const { kinds, depths, parents, lines, changes, positions, templateOf, payloads, shapeOf, values, tags, focusAt, focus } = this;
    return [kinds, depths, parents, lines, changes, positions, templateOf, payloads, shapeOf, values, tags, focusAt, focus];
  }

  private head(kind: EventKind, line: number, parent: number, depth: number, position: number, change: boolean): number {
    const step = this.kinds.push(kindIndex(kind));
    this.depths.push(Math.min(depth, MAX_DEPTH));
    this.parents.push(parent);
    this.lines.push(Math.min(Math.max(line, 0), MAX_LINE));
    this.changes.push(change ? 1 : 0);
    this.positions.push(position);
    return step;
  }

  private pushFacts(template: number, facts: Facts): number {
    const keys = Object.keys(facts);
    // The same template nearly always comes with the same facts.
    let shape = this.shapeByTemplate[template];
    if (shape === undefined || !sameKeys(shape.keys, keys)) {
      shape = this.shapeFor(keys);
      this.shapeByTemplate[template] = shape;
    }
    for (const key of keys) this.pushValue(facts[key] ?? null);
    return shape.id;
  }

  private shapeFor(keys: readonly string[]): Shape {
    const joined = keys.join("\n");
    let shape = this.shapeByKeys.get(joined);
    if (shape === undefined) {
      shape = { keys, id: this.shapes.length };
      this.shapes.push(shape);
      this.shapeByKeys.set(joined, shape);
    }
    return shape;
  }

  private pushValue(value: FactValue): void {
    switch (typeof value) {
      case "number":
        this.values.push(value);
        this.tags.push(TAG.number);
        return;
      case "string":
        this.values.push(this.names.id(value));
        this.tags.push(TAG.string);
        return;
      case "boolean":
        this.values.push(0);
        this.tags.push(value ? TAG.true : TAG.false);
        return;
      default:
        if (value === null) {
          this.values.push(0);
          this.tags.push(TAG.null);
        } else {
          this.values.push(this.lists.push(value.slice()) - 1);
          this.tags.push(TAG.list);
        }
    }
  }

  private value(at: number): FactValue {
    const raw = this.values.get(at);
    switch (this.tags.get(at)) {
      case TAG.number:
        return raw;
      case TAG.string:
        return this.names.text(raw);
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.list:
        return this.lists[raw] ?? [];
      default:
        return null;
    }
  }

  private pushFocus(focus: Focus): void {
    const { blocks, edges, insts, operands, regs, nodes } = focus;
    if (blocks !== undefined) this.pushPart(PART.blocks, blocks);
    if (edges !== undefined) this.pushPairs(PART.edges, edges);
    if (insts !== undefined) this.pushPart(PART.insts, insts);
    if (operands !== undefined) this.pushPairs(PART.operands, operands);
    if (regs !== undefined) this.pushPart(PART.regs, regs);
    if (nodes !== undefined && nodes.length > 0) {
      this.focus.push(PART.nodes | (nodes.length << 3));
      for (const node of nodes) this.focus.push(this.names.id(node));
    }
  }

  private pushPart(part: number, items: readonly number[]): void {
    if (items.length === 0) return;
    this.focus.push(part | (items.length << 3));
    for (const item of items) this.focus.push(item);
  }

  private pushPairs(part: number, items: readonly (readonly [number, number])[]): void {
    if (items.length === 0) return;
    this.focus.push(part | (items.length << 3));
    for (const [a, b] of items) {
      this.focus.push(a);
      this.focus.push(b);
    }
  }
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
