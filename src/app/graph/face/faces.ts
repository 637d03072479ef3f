/** What each card and line shows at the current step, computed together and passed to each by its id: a step renders only what it touched. */

import type { BlockView, Subject, TableView } from "../../../engine/api/types.ts";
import { type LineLabel, lineLabel } from "../../../layout/picture.ts";
import type { MomentState } from "../../session/moment.ts";
import type { ValueNumbers } from "../../session/value-numbers.ts";
import type { Drawing, DrawnEdge, DrawnNode, Side } from "../model/drawing.ts";
import { pairKey } from "../model/graph-model.ts";
import { blockHeight, TAG_HEIGHT } from "../model/metrics.ts";
import { type Diff, diffOf, edgeDiff } from "../model/states.ts";
import type { NodeOverlay, OverlayData } from "../overlay/overlay.ts";
import { mentions, reachableBlocks, tableOfBlock } from "./block-facts.ts";

export interface InstMark {
  /** The event is about it. */
  readonly focus: boolean;
  readonly changed: boolean;
  /** Operands the event is about; -1 is the guard. */
  readonly operands: readonly number[];
}

export interface NodeFace {
  /** The block's state; null for a ghost, a region and a table. */
  readonly block: BlockView | null;
  readonly table: TableView | null;
  /** Exists in the current state (of a region: any of its blocks). */
  readonly present: boolean;
  readonly focus: boolean;
  readonly changed: boolean;
  readonly selected: boolean;
  readonly hovered: boolean;
  /** The keyboard's place. */
  readonly cursor: boolean;
  readonly unreachable: boolean;
  /** Show its number in reverse postorder and whether it has predecessors: the phase writes them, or the block is selected. */
  readonly numbers: boolean;
  readonly selectedInst: number;
  readonly hoveredInst: number;
  /** Line of the source that is pointed at, if an instruction of the block comes from it; else 0. */
  readonly hoveredLine: number;
  /** Selected and hovered register, if the block mentions it. */
  readonly reg: string | null;
  readonly hoveredReg: string | null;
  readonly marks: ReadonlyMap<number, InstMark>;
  readonly match: "none" | "match" | "current";
  readonly overlay: NodeOverlay | null;
  /** Value numbers of the block's instructions, where that overlay is on. */
  readonly values: ValueNumbers | null;
  /** What became of it, where two states are compared. */
  readonly diff: Diff;
}

/** Two states to compare. Head null: the current step. */
export interface Comparison {
  readonly base: MomentState;
  readonly head: MomentState | null;
}

export type EdgeEvent = "none" | "focus" | "added" | "removed" | "redirected";

export interface EdgeFace {
  readonly present: boolean;
  /** Height of what is drawn of the card that it leaves: less than there is room for where that has fewer instructions, or is not there at this step. */
  readonly foot: number;
  /** A loop around such a card, which the line would not go around. */
  readonly hidden: boolean;
  /** Of the line's first edge of the program that exists now, else of its first one in the union. */
  readonly kind: BlockView["succKinds"][number];
  readonly label: LineLabel;
  readonly retreating: boolean;
  readonly event: EdgeEvent;
  readonly selected: boolean;
  readonly hovered: boolean;
  /** Leads to or from the selected block. */
  readonly related: boolean;
  readonly diff: Diff;
}

export interface FaceInputs {
  readonly moment: MomentState | null;
  readonly drawing: Drawing;
  readonly selected: Subject | null;
  readonly hovered: Subject | null;
  readonly line: number | null;
  readonly cursor: string | null;
  /** The phase writes the blocks' numbers. */
  readonly numbers: boolean;
  readonly overlay: OverlayData | null;
  readonly compare: Comparison | null;
  /** Blocks that the search found, and the current one. */
  readonly matches: ReadonlySet<number>;
  readonly match: number | null;
}

const NO_MARKS: ReadonlyMap<number, InstMark> = new Map();
const NO_OPERANDS: readonly number[] = [];

/** What the current event is about, by block and instruction. */
interface StepMarks {
  readonly focusBlocks: ReadonlySet<number>;
  readonly changedBlocks: ReadonlySet<number>;
  readonly insts: ReadonlyMap<number, InstMark>;
}

export function stepMarks(moment: MomentState): StepMarks {
  const focus = moment.event?.focus;
  const insts = new Map<number, InstMark>();
  const mark = (id: number, part: Partial<InstMark>): void => {
    insts.set(id, { ...(insts.get(id) ?? { focus: false, changed: false, operands: NO_OPERANDS }), ...part });
  };
  for (const id of moment.changed.insts) mark(id, { changed: true });
  for (const id of focus?.insts ?? []) mark(id, { focus: true });
  for (const [id, operand] of focus?.operands ?? []) mark(id, { operands: [...(insts.get(id)?.operands ?? []), operand] });
  return { focusBlocks: new Set(focus?.blocks ?? []), changedBlocks: new Set(moment.changed.blocks), insts };
}

/** The state that a card or line shows: its side's, else the current step's. */
function stateOf(side: Side | undefined, { moment, compare }: FaceInputs): MomentState | null {
  if (compare === null) return moment;
  if (side === undefined) return compare.head ?? moment;
  return side === "before" ? compare.base : (compare.head ?? moment);
}

/** The block that a card shows. Where two states are one picture, what is gone still shows what it was. */
function viewOf(node: DrawnNode, inputs: FaceInputs): BlockView | null {
  const own = node.blocks[0] ?? -1;
  const base = node.side === undefined ? inputs.compare?.base : undefined;
  return stateOf(node.side, inputs)?.blocks.get(own) ?? base?.blocks.get(own) ?? null;
}

function tableOf(node: DrawnNode, inputs: FaceInputs): TableView | null {
  const moment = stateOf(node.side, inputs);
  const view = node.kind === "table" && moment !== null ? viewOf(node, inputs) : null;
  return view === null || moment === null ? null : tableOfBlock(view, moment.tables);
}

/** Whether the content of a card exists; else a tag is drawn instead. */
function isThere(node: DrawnNode, inputs: FaceInputs): boolean {
  if (node.kind === "table") return tableOf(node, inputs) !== null;
  if (node.kind !== "region") return viewOf(node, inputs) !== null;
  const moment = stateOf(node.side, inputs);
  return node.blocks.some((b) => moment?.blocks.has(b) ?? false);
}

/** How high the card of a block with these contents is drawn; a table's and a region's keep their size. */
export function shownHeight(node: DrawnNode, { present, block }: Pick<NodeFace, "present" | "block">): number {
  const wanted =
    node.kind === "stub" || (present && block === null) ? node.height : block === null ? TAG_HEIGHT : blockHeight(block.insts.length);
  return Math.min(node.height, wanted);
}

export function nodeFaces(inputs: FaceInputs): Map<string, NodeFace> {
  const { moment, drawing } = inputs;
  const marks = moment === null ? null : stepMarks(moment);
  const reachable = moment === null ? null : reachableBlocks(moment.blocks, moment.entry);
  const faces = new Map<string, NodeFace>();
  for (const node of drawing.nodes.values()) faces.set(node.id, nodeFace(node, inputs, marks, reachable));
  return faces;
}

function nodeFace(node: DrawnNode, inputs: FaceInputs, marks: StepMarks | null, reachable: ReadonlySet<number> | null): NodeFace {
  const { selected, hovered, line, compare } = inputs;
  const moment = stateOf(node.side, inputs);
  const own = node.blocks[0] ?? -1;
  const whole = node.kind === "region";
  const view = viewOf(node, inputs);
  const block = node.kind === "block" ? view : null;
  const table = tableOf(node, inputs);
  const has = (set: ReadonlySet<number> | undefined): boolean => set !== undefined && node.blocks.some((b) => set.has(b));
  const isBlock = (s: Subject | null): boolean =>
    s?.kind === "block" && node.kind !== "table" && node.kind !== "stub" && node.blocks.includes(s.id);
  const holds = (inst: number): boolean =>
    node.kind !== "table" && node.blocks.some((b) => moment?.blocks.get(b)?.insts.some((i) => i.id === inst) ?? false);
  const instIn = (s: Subject | null): number => (s?.kind === "inst" && node.kind !== "stub" && holds(s.id) ? s.id : -1);
  const regIn = (s: Subject | null): string | null => (s?.kind === "reg" && block !== null && mentions(block, s.name) ? s.name : null);
  const selectedInst = instIn(selected);
  const hoveredInst = instIn(hovered);
  const fromLine = (b: number): boolean => {
    const at = moment?.blocks.get(b);
    return at !== undefined && (at.line === line || at.insts.some((i) => i.line === line));
  };
  const hoveredLine = line !== null && (node.kind === "block" || whole) && node.blocks.some(fromLine) ? line : 0;
  return {
    block,
    table,
    present: isThere(node, inputs),
    focus: node.kind !== "stub" && node.kind !== "table" && has(marks?.focusBlocks),
    changed: node.kind !== "stub" && node.kind !== "table" && has(marks?.changedBlocks),
    selected: isBlock(selected) || (whole && selectedInst >= 0),
    hovered: isBlock(hovered) || (whole && hoveredInst >= 0) || hoveredLine > 0,
    cursor: inputs.cursor === node.id,
    unreachable: block !== null && reachable !== null && !reachable.has(own),
    numbers: block !== null && (inputs.numbers || isBlock(selected) || selectedInst >= 0),
    selectedInst,
    hoveredInst,
    hoveredLine,
    reg: regIn(selected),
    hoveredReg: regIn(hovered),
    marks: block === null || marks === null ? NO_MARKS : marksOf(block, marks.insts),
    match:
      node.kind === "stub" || node.kind === "table"
        ? "none"
        : inputs.match !== null && node.blocks.includes(inputs.match)
          ? "current"
          : has(inputs.matches)
            ? "match"
            : "none",
    overlay: node.kind === "block" || whole ? (inputs.overlay?.nodes.get(own) ?? null) : null,
    values: valuesOf(block, inputs.overlay?.values ?? null),
    diff: compare === null || node.kind === "stub" ? "same" : nodeDiff(node, compare, inputs.moment),
  };
}

function nodeDiff(node: DrawnNode, { base, head }: Comparison, moment: MomentState | null): Diff {
  const now = head ?? moment;
  const diffs = new Set(node.blocks.map((b) => diffOf(base.blocks.get(b), now?.blocks.get(b))));
  const [only] = diffs;
  return diffs.size === 1 && only !== undefined ? only : diffs.size === 0 ? "same" : "changed";
}

function marksOf(block: BlockView, insts: ReadonlyMap<number, InstMark>): ReadonlyMap<number, InstMark> {
  if (insts.size === 0) return NO_MARKS;
  let marks: Map<number, InstMark> | null = null;
  for (const inst of block.insts) {
    const mark = insts.get(inst.id);
    if (mark === undefined) continue;
    marks ??= new Map();
    marks.set(inst.id, mark);
  }
  return marks ?? NO_MARKS;
}

function valuesOf(block: BlockView | null, values: ValueNumbers | null): ValueNumbers | null {
  if (block === null || values === null) return null;
  const own = new Map<number, number>();
  for (const inst of block.insts) {
    const value = values.get(inst.id);
    if (value !== undefined) own.set(inst.id, value);
  }
  return own.size === 0 ? null : own;
}

export function edgeFaces(inputs: FaceInputs): Map<string, EdgeFace> {
  const { moment, drawing } = inputs;
  const event = edgeEvents(moment);
  const union = new Map(drawing.model.union.edges.map((e) => [pairKey(e.from, e.to), e]));
  const faces = new Map<string, EdgeFace>();
  for (const edge of drawing.edges.values()) faces.set(edge.id, edgeFace(edge, inputs, event, union));
  return faces;
}

function edgeFace(
  edge: DrawnEdge,
  inputs: FaceInputs,
  events: ReadonlyMap<string, EdgeEvent>,
  union: ReadonlyMap<string, Drawing["model"]["union"]["edges"][number]>,
): EdgeFace {
  const { selected, hovered, compare } = inputs;
  const moment = stateOf(edge.side, inputs);
  let diff: Diff = "same";
  let kind: EdgeFace["kind"] | null = null;
  let label: EdgeFace["label"] = "";
  let event: EdgeEvent = "none";
  let retreating = false;
  const any = (subject: Subject | null): boolean =>
    subject?.kind === "edge" && edge.pairs.some(([from, to]) => subject.from === from && subject.to === to);
  const source = inputs.drawing.nodes.get(edge.from);
  const isGone = source !== undefined && !isThere(source, inputs);
  const foot =
    source === undefined ? 0 : shownHeight(source, { present: !isGone, block: source.kind === "block" ? viewOf(source, inputs) : null });
  for (const [from, to] of edge.pairs) {
    const key = pairKey(from, to);
    const happened = events.get(key);
    if (happened !== undefined) event = happened;
    if (union.get(key)?.retreating === true && edge.role !== "trunk") retreating = true;
    const head = compare?.head ?? inputs.moment;
    if (compare !== null && head !== null && diff === "same") diff = edgeDiff(compare.base, head, from, to);
    if (kind !== null) continue;
    const now = moment?.blocks.get(from);
    const view = now?.succs.includes(to) !== true && edge.side === undefined && compare !== null ? compare.base.blocks.get(from) : now;
    const at = view?.succs.indexOf(to) ?? -1;
    if (view === undefined || at < 0) continue;
    kind = view.succKinds[at] ?? "jump";
    if (edge.role === "flow") label = lineLabel(kind, view.succKinds);
  }
  const fallback = union.get(pairKey(edge.pairs[0]?.[0] ?? -1, edge.pairs[0]?.[1] ?? -1))?.kind ?? "jump";
  return {
    present: kind !== null,
    foot,
    hidden: isGone && kind === null && edge.from === edge.to,
    kind: kind ?? fallback,
    label,
    retreating,
    event,
    selected: any(selected),
    hovered: any(hovered),
    diff,
    related: selected?.kind === "block" && edge.pairs.some(([from, to]) => from === selected.id || to === selected.id),
  };
}

function edgeEvents(moment: MomentState | null): Map<string, EdgeEvent> {
  const events = new Map<string, EdgeEvent>();
  const event = moment?.event;
  if (event === null || event === undefined) return events;
  const what: EdgeEvent =
    event.kind === "edge-add"
      ? "added"
      : event.kind === "edge-remove"
        ? "removed"
        : event.kind === "edge-redirect"
          ? "redirected"
          : "focus";
  for (const [from, to] of event.focus.edges ?? []) events.set(pairKey(from, to), what);
  return events;
}

/** Equal as far as drawing is concerned. */
export function sameFace<F extends NodeFace | EdgeFace>(a: F, b: F): boolean {
  for (const key of Object.keys(a) as (keyof F)[]) {
    if (a[key] === b[key]) continue;
    if (key === "marks" && sameMarks(a as NodeFace, b as NodeFace)) continue;
    if (key === "overlay" && sameOverlay((a as NodeFace).overlay, (b as NodeFace).overlay)) continue;
    if (key === "values" && sameValues((a as NodeFace).values, (b as NodeFace).values)) continue;
    return false;
  }
  return true;
}

function sameValues(a: ValueNumbers | null, b: ValueNumbers | null): boolean {
  if (a === null || b === null || a.size !== b.size) return a === b;
  for (const [inst, value] of a) if (b.get(inst) !== value) return false;
  return true;
}

function sameOverlay(a: NodeOverlay | null, b: NodeOverlay | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.tone === b.tone &&
    a.chips.length === b.chips.length &&
    a.chips.every((chip, i) => chip.text === b.chips[i]?.text && chip.title === b.chips[i]?.title)
  );
}

function sameMarks(a: NodeFace, b: NodeFace): boolean {
  if (a.marks === b.marks) return true;
  if (a.marks.size !== b.marks.size) return false;
  for (const [id, mark] of a.marks) {
    const other = b.marks.get(id);
    if (other === undefined || other.focus !== mark.focus || other.changed !== mark.changed) return false;
    if (other.operands.length !== mark.operands.length || other.operands.some((o, i) => o !== mark.operands[i])) return false;
  }
  return true;
}
