/** One phase of a recorded trace in the terms of a live one: its columns, its events, its states as differences, its graph. */

import type {
  BlockView,
  CellChange,
  InstView,
  StateDelta,
  StructureDelta,
  Token,
  TraceInfo,
  UnionGraph,
} from "../../../../engine/api/types.ts";
import type { TraceEvent } from "../../../../engine/trace/event.ts";
import { EVENT_KINDS } from "../../../../engine/trace/kinds.ts";
import { PhaseStates, type TraceBlock, type TraceInst, type TracePhase, type TraceState } from "../trace-document.ts";

export class RecordedPhase {
  readonly phase: TracePhase;
  readonly run: number;
  private readonly name: string;
  private readonly states: PhaseStates;
  private readonly labels: ReadonlySet<string>;
  private readonly insts = new WeakMap<TraceInst, InstView>();

  constructor(phase: TracePhase, run: number, name: string) {
    this.phase = phase;
    this.run = run;
    this.name = name;
    this.states = new PhaseStates(phase);
    this.labels = new Set(this.everyBlock().map((block) => block.label));
  }

  at(step: number): TraceState {
    return this.states.at(step);
  }

  info(): TraceInfo {
    const { steps, cut, id, pseudocode, structures } = this.phase;
    return {
      run: this.run,
      id,
      steps: steps.length,
      cut,
      limit: steps.length,
      kinds: Uint8Array.from(steps, (s) => EVENT_KINDS.indexOf(s.kind)),
      depths: Uint8Array.from(steps, (s) => s.depth),
      parents: Int32Array.from(steps, (s) => s.parent),
      lines: Uint16Array.from(steps, (s) => s.line),
      changes: Uint8Array.from(steps, (s) => (s.program ? 1 : 0)),
      rewrites: null,
      pseudocode: [...pseudocode],
      structures,
    };
  }

  event(step: number): TraceEvent | null {
    const found = this.phase.steps[step];
    if (found === undefined) return null;
    const { kind, sentence, line, depth, parent, facts, focus } = found;
    // Registers are shown by name; the packed numbers of a live focus have no meaning here.
    const { regs: _, ...about } = focus;
    // Ids are plain numbers in a file, and branded ones in the engine.
    return { step, parent, depth, kind, line, sentence, facts, focus: about as unknown as TraceEvent["focus"] };
  }

  view(step: number, have: number | null): StateDelta {
    const last = this.phase.steps.length - 1;
    const at = Math.max(-1, Math.min(step, last));
    const before = at < 0 ? null : this.at(at - 1);
    const old = have === null ? null : this.at(Math.max(-1, Math.min(have, last)));
    const now = this.at(at);
    const preds = predecessors(now);
    const oldPreds = old === null ? null : predecessors(old);
    const touched = now.layout.flatMap((id): TraceBlock[] => {
      const block = now.blocks.get(id);
      if (block === undefined) return [];
      const same = old !== null && old.blocks.get(id) === block && (preds.get(id) ?? []).join() === (oldPreds?.get(id) ?? []).join();
      return same ? [] : [block];
    });
    return {
      run: this.run,
      step: at,
      reset: old === null,
      name: this.name,
      entry: now.entry,
      blocks: touched.map((block) => this.block(block, preds.get(block.id) ?? [])),
      removedBlocks: old === null ? [] : old.layout.filter((id) => !now.blocks.has(id)),
      layout: old !== null && old.layout === now.layout ? null : now.layout,
      tables: old !== null && old.tables === now.tables ? null : now.tables,
      funcFlags: 0,
      structures: this.structures(old, now),
      event: at < 0 ? null : this.event(at),
      stack: this.stack(at),
      changed: before === null ? { blocks: [], insts: [] } : changed(before, now),
    };
  }

  /** Text of the function, with the block and instruction of each line. */
  lines(step: number): { readonly text: string; readonly block: number; readonly inst: number }[] {
    const state = this.at(step);
    return state.layout.flatMap((id) => {
      const block = state.blocks.get(id);
      if (block === undefined) return [];
      const insts = block.insts.map((inst) => ({ text: `    ${inst.text}`, block: id, inst: inst.id }));
      return [{ text: `${block.label}:`, block: id, inst: -1 }, ...insts];
    });
  }

  graph(): UnionGraph {
    const first = this.phase.input;
    const last = this.at(this.phase.steps.length - 1);
    const blocks = new Map<number, { label: string; lines: number; columns: number }>();
    const edges = new Map<string, UnionGraph["edges"][number]>();
    for (const block of this.everyBlock()) {
      const known = blocks.get(block.id) ?? { label: block.label, lines: 0, columns: 0 };
      known.lines = Math.max(known.lines, block.insts.length);
      for (const inst of block.insts) known.columns = Math.max(known.columns, inst.text.length);
      blocks.set(block.id, known);
      block.succs.forEach((to, port) => {
        const key = `${block.id} ${to}`;
        const has = (state: TraceState): boolean => state.blocks.get(block.id)?.succs.includes(to) === true;
        const kind = block.kinds[port] ?? "jump";
        edges.set(key, { from: block.id, to, kind, port, before: has(first), after: has(last), retreating: false });
      });
    }
    const all = [...edges.values()].filter((edge) => blocks.has(edge.to));
    const back = retreating(first.entry, all);
    return {
      run: this.run,
      entry: last.entry,
      blocks: [...blocks].map(([id, size]) => ({ id, ...size, before: first.blocks.has(id), after: last.blocks.has(id) })),
      edges: all.map((edge) => ({ ...edge, retreating: back.has(edge) })),
      loops: [],
    };
  }

  private everyBlock(): TraceBlock[] {
    const { input, steps } = this.phase;
    return [...input.layout.flatMap((id) => input.blocks.get(id) ?? []), ...steps.flatMap((step) => step.changes.blocks)];
  }

  private block({ id, label, insts, succs, kinds, weight, record }: TraceBlock, preds: readonly number[]): BlockView {
    const { rpo = 0, latchExit = 0, flags = 0, flags2 = 0, scratch120 = 0, scratch232 = 0 } = record;
    const annotations = { rpo, latchExit, flags, flags2, scratch120, scratch232 };
    return { id, label, insts: insts.map((inst) => this.inst(inst)), succs, preds, succKinds: kinds, weight, ...annotations, line: 0 };
  }

  private inst(inst: TraceInst): InstView {
    let view = this.insts.get(inst);
    if (view === undefined) {
      const tokens = textTokens(inst.text, this.labels);
      view = { id: inst.id, text: inst.text, tokens, op: tokens.find((t) => t.kind === "mnemonic")?.text ?? "", effect: "pure", line: 0 };
      this.insts.set(inst, view);
    }
    return view;
  }

  private structures(old: TraceState | null, now: TraceState): StructureDelta[] {
    return this.phase.structures.flatMap(({ name, type, title }): StructureDelta[] => {
      const cells = now.cells.get(name);
      const before = old?.cells.get(name);
      if (cells === before) return [];
      const gone = [...(before?.keys() ?? [])].filter((key) => cells?.has(key) !== true);
      const written = [...(cells ?? [])].filter(([key, value]) => old === null || before?.get(key) !== value);
      return [{ name, type, title, reset: old === null, cells: [...gone.map((key): CellChange => [key, undefined]), ...written] }];
    });
  }

  private stack(step: number): TraceEvent[] {
    const stack: TraceEvent[] = [];
    for (let at = this.phase.steps[step]?.parent ?? -1; at >= 0; at = this.phase.steps[at]?.parent ?? -1) {
      const event = this.event(at);
      if (event !== null) stack.unshift(event);
    }
    return stack;
  }
}

function predecessors(state: TraceState): Map<number, number[]> {
  const preds = new Map<number, number[]>();
  for (const id of state.layout) {
    for (const to of state.blocks.get(id)?.succs ?? []) {
      const list = preds.get(to);
      if (list === undefined) preds.set(to, [id]);
      else list.push(id);
    }
  }
  return preds;
}

function changed(before: TraceState, now: TraceState): StateDelta["changed"] {
  const blocks: number[] = [];
  const insts: number[] = [];
  for (const [id, block] of now.blocks) {
    const old = before.blocks.get(id);
    if (old === block) continue;
    blocks.push(id);
    const had = new Map(old?.insts.map((inst) => [inst.id, inst.text]));
    for (const inst of block.insts) if (had.get(inst.id) !== inst.text) insts.push(inst.id);
  }
  return { blocks, insts };
}

/** Edges that close a cycle in a depth-first walk from the entry. */
function retreating(entry: number, edges: readonly UnionGraph["edges"][number][]): Set<UnionGraph["edges"][number]> {
  const out = new Map<number, UnionGraph["edges"][number][]>();
  for (const edge of edges) out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
  const found = new Set<UnionGraph["edges"][number]>();
  const state = new Map<number, "open" | "done">([[entry, "open"]]);
  const walk: { readonly id: number; next: number }[] = [{ id: entry, next: 0 }];
  for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
    const edge = out.get(top.id)?.[top.next++];
    if (edge === undefined) {
      state.set(top.id, "done");
      walk.pop();
    } else if (state.get(edge.to) === "open") found.add(edge);
    else if (!state.has(edge.to)) {
      state.set(edge.to, "open");
      walk.push({ id: edge.to, next: 0 });
    }
  }
  return found;
}

/** An instruction of any compiler as pieces of text, distinguished by their shape alone. */
const PIECE = /(@!?[\w$.]+)|(0x[\da-f]+|-?\d+(?:\.\d+)?)|([%$]?[A-Za-z_.$][\w.$]*)|(\s+|.)/giu;
const REGISTER = /^(?:U?R\d+|RD\d+|U?P\d+|U?RZ|U?PT|B\d+|[%$][\w.]+|v\d+)$/;

/** `labels`: names of blocks. The first word is what the instruction does. */
function textTokens(text: string, labels: ReadonlySet<string>): Token[] {
  let first = true;
  return [...text.matchAll(PIECE)].map(([piece, guard, number, word]): Token => {
    const token = (kind: Token["kind"], regs: readonly string[] = []): Token => ({ text: piece, kind, operand: null, regs, def: false });
    if (guard !== undefined) return token("guard", [guard.replace(/^@!?/, "")]);
    if (number !== undefined) return token("number");
    if (word === undefined) return token("punct");
    if (labels.has(word)) return token("label");
    if (REGISTER.test(word)) return token(/^U?P[\dT]/.test(word) ? "pred" : "reg", [word]);
    if (!first) return token("text");
    first = false;
    return token("mnemonic");
  });
}
