/** A trace document as the player's tables. */

import type { Elk } from "../../../../layout/elk/elk.ts";
import {
  applyChanges,
  sameList,
  type TraceBlock,
  type TraceDocument,
  type TraceInst,
  type TracePhase,
  type TraceState,
} from "../trace-document.ts";
import type { PlayerData, PlayerPhase, PlayerStep, PlayerVersion } from "./data.ts";
import { MOST_CARDS, type Pictures, pictures } from "./pictures.ts";

/** A file with more steps than this contains those that change the program, and at most this many of them. */
export const MOST_PLAYED = 3000;

export async function playerData({ header, phases }: TraceDocument, elk: Elk, changesOnly = false): Promise<PlayerData> {
  const steps = phases.reduce((n, p) => n + p.steps.length, 0);
  const only = changesOnly || steps > MOST_PLAYED;
  const notes: string[] = [];
  if (only) notes.push(`Of ${steps} steps, this file contains those that change the program.`);
  const insts = new InstTable();
  let left = MOST_PLAYED;
  const drawn: Pictures[] = [];
  for (const phase of phases) drawn.push(await pictures(phase, elk));
  const played = phases.flatMap((phase, i) => {
    const picture = drawn[i];
    if (picture === undefined) return [];
    const wanted = only ? phase.steps.filter((s) => s.program).length : phase.steps.length;
    const own = playerPhase(phase, picture, insts, only, left);
    left -= own.steps.length;
    if (own.steps.length < wanted) notes.push(`${phase.name}: ${wanted - own.steps.length} later steps are left out.`);
    if (phase.cut) notes.push(`${phase.name}: the trace was cut after ${phase.steps.length} steps.`);
    if (own.cards.some((card) => card.box === null)) {
      notes.push(`${phase.name}: a graph of ${own.cards.length} blocks is not drawn; the limit is ${MOST_CARDS}.`);
    }
    return own;
  });
  const about = [header.function, header.target, header.level === undefined ? undefined : `-O${header.level}`];
  return {
    title: header.title,
    function: header.function,
    target: header.target,
    level: header.level,
    about: about.filter((word) => word !== undefined).join(" · "),
    generator: header.generator,
    notes,
    insts: insts.rows,
    phases: played,
  };
}

/** Numbers instructions by id and text. */
class InstTable {
  readonly rows: [id: number, text: string][] = [];
  private readonly known = new Map<string, number>();

  numberOf({ id, text }: TraceInst): number {
    const key = `${id} ${text}`;
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.rows.length;
      this.rows.push([id, text]);
      this.known.set(key, number);
    }
    return number;
  }
}

function playerPhase(
  phase: TracePhase,
  { boxes, lines, bounds }: Pictures,
  insts: InstTable,
  changesOnly: boolean,
  most: number,
): PlayerPhase {
  const cards = new Cards(insts);
  const labels = new Map<number, string>();
  for (const block of [...phase.input.blocks.values(), ...phase.steps.flatMap((s) => s.changes.blocks)]) {
    labels.set(block.id, block.label);
    cards.cardOf(block.id);
  }
  const now = new Map<number, number>();
  for (const block of phase.input.blocks.values()) now.set(cards.cardOf(block.id), cards.versionOf(block));
  const start = Array.from({ length: labels.size }, (_, card) => now.get(card) ?? -1);
  const order = (at: TraceState): number[] => at.layout.map((id) => cards.cardOf(id));
  const first = order(phase.input);
  let layout = first;
  const steps: PlayerStep[] = [];
  let state: TraceState = phase.input;
  const waiting = new Map<number, number>();
  for (const [i, step] of phase.steps.entries()) {
    if (steps.length >= most) break;
    state = applyChanges(state, step.changes);
    for (const id of step.changes.removed) waiting.set(cards.cardOf(id), -1);
    for (const block of step.changes.blocks) waiting.set(cards.cardOf(block.id), cards.versionOf(block));
    if (changesOnly && !step.program) continue;
    const sets = [...waiting].filter(([card, version]) => (now.get(card) ?? -1) !== version);
    waiting.clear();
    for (const [card, version] of sets) now.set(card, version);
    const expected = usualOrder(layout, sets);
    layout = order(state);
    const { focus } = step;
    const about = new Set([...(focus.blocks ?? []), ...(focus.edges ?? []).flat()].filter((id) => labels.has(id)));
    steps.push({
      step: i + 1,
      kind: step.kind,
      sentence: step.sentence,
      line: step.line,
      depth: step.depth,
      cards: [...about].map((id) => cards.cardOf(id)),
      insts: [...new Set([...(focus.insts ?? []), ...(focus.operands ?? []).map(([inst]) => inst)])],
      sets,
      ...(sameList(layout, expected) ? {} : { layout }),
    });
  }
  return {
    id: phase.id,
    name: phase.name,
    number: phase.number,
    summary: phase.summary,
    pseudocode: phase.pseudocode,
    cards: [...labels].map(([id, label]) => ({ id, label, box: boxes?.get(id) ?? null })),
    lines: lines.map((line) => ({ ...line, from: cards.cardOf(line.from), to: cards.cardOf(line.to) })),
    bounds,
    versions: cards.versions,
    start,
    entry: cards.cardOf(phase.input.entry),
    ...(first.every((card, i) => card === i) ? {} : { layout: first }),
    steps,
  };
}

/** The order after a step that gives none: without what it removes, what is new at the end. */
export function usualOrder(before: readonly number[], sets: PlayerStep["sets"]): number[] {
  const known = new Set(before);
  const gone = new Set(sets.flatMap(([card, version]) => (version < 0 ? [card] : [])));
  return [
    ...before.filter((card) => !gone.has(card)),
    ...sets.flatMap(([card, version]) => (version < 0 || known.has(card) ? [] : [card])),
  ];
}

/** Numbers blocks and their texts. */
class Cards {
  readonly versions: PlayerVersion[] = [];
  private readonly insts: InstTable;
  private readonly cards = new Map<number, number>();
  private readonly known = new Map<string, number>();

  constructor(insts: InstTable) {
    this.insts = insts;
  }

  cardOf(id: number): number {
    let card = this.cards.get(id);
    if (card === undefined) {
      card = this.cards.size;
      this.cards.set(id, card);
    }
    return card;
  }

  versionOf(block: TraceBlock): number {
    const version: PlayerVersion = {
      insts: block.insts.map((inst) => this.insts.numberOf(inst)),
      succs: block.succs.map((to, i) => [this.cardOf(to), block.kinds[i] ?? "jump"] as const),
    };
    const key = JSON.stringify(version);
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.versions.length;
      this.versions.push(version);
      this.known.set(key, number);
    }
    return number;
  }
}
