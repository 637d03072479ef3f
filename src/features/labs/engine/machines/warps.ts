/** The lanes of one warp: where they diverge, which wait, and where they reconverge. */

import { warpWalk } from "../../../../engine/api/exec/warp-walk.ts";
import { requestOf } from "../kinds/kind.ts";
import { BrokenTask } from "../stage.ts";
import { type MachineKind, movePair } from "./machine.ts";

const DEFAULT_THREADS = 4;
/** Visits of a walk that can be followed by hand. */
const MOST_VISITS = 200;

/** `0-3 5` as lanes; null: not lanes. */
function lanesOf(words: readonly string[]): ReadonlySet<number> | null {
  const lanes = new Set<number>();
  for (const word of words) {
    const [, first, last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(word) ?? [];
    if (first === undefined) return null;
    for (let lane = Number(first); lane <= Number(last); lane++) lanes.add(lane);
  }
  return lanes;
}

const lanesText = (lanes: Iterable<number>): string => [...lanes].sort((a, b) => a - b).join(" ");

export const reconvergenceMachine: MachineKind = {
  name: "reconvergence",
  moves: "`BB1: 0 2 3` lets the lanes 0, 2 and 3 run BB1 together; groups may take turns in any order",
  needs: [],
  start({ input }, ctx) {
    const { program, task, stage } = ctx;
    const atInput = task.at.kind === "input";
    const text = atInput ? program.ori : stage.textAt(program, ctx.options, task.at);
    const given = input === undefined ? { threads: DEFAULT_THREADS, seed: stage.seed + 1 } : requestOf(input, program.ori);
    const visits = warpWalk(text, atInput ? program.kernel : null, given);
    if (typeof visits === "string") throw new BrokenTask(visits);
    if (visits.length > MOST_VISITS) throw new BrokenTask(`the walk has more than ${MOST_VISITS} steps`);
    const labels = new Set(ctx.facts().blocks.map((b) => b.label));
    /** By lane: its visits, the next one first. */
    const queues = new Map<number, number[]>();
    for (const [i, { lanes }] of visits.entries()) for (const lane of lanes) queues.set(lane, [...(queues.get(lane) ?? []), i]);
    const nextOf = (lane: number): number | undefined => queues.get(lane)?.[0];
    const ready = (i: number): boolean => visits[i]?.lanes.every((lane) => nextOf(lane) === i) === true;
    /** The visit that a move means, or why there is none. */
    const find = (move: string): number | string => {
      const [label, words] = movePair(move);
      const lanes = words === null ? null : lanesOf(words);
      if (lanes === null || lanes.size === 0) return "a move is a block, a colon, and lanes";
      if (!labels.has(label)) return `there is no block ${label}`;
      for (const lane of lanes) {
        const next = nextOf(lane);
        if (next === undefined) return queues.has(lane) ? `lane ${lane} has ended` : `there is no lane ${lane}`;
        if (visits[next]?.block !== label) return `lane ${lane} does not go to ${label} now`;
      }
      const found = nextOf([...lanes][0] ?? 0) ?? -1;
      const together = visits[found]?.lanes ?? [];
      if (lanesText(together) !== lanesText(lanes)) {
        const missing = together.filter((lane) => !lanes.has(lane));
        return missing.length > 0 ? "these lanes wait for others there" : "these lanes have not reconverged there";
      }
      return ready(found) ? found : "these lanes wait for others there";
    };
    return {
      problem(move) {
        const found = find(move);
        return typeof found === "string" ? found : null;
      },
      apply(move) {
        const found = find(move);
        if (typeof found === "number") for (const lane of visits[found]?.lanes ?? []) queues.get(lane)?.shift();
      },
      model() {
        const next = visits.findIndex((_, i) => ready(i));
        const visit = visits[next];
        return visit === undefined ? null : `${visit.block}: ${lanesText(visit.lanes)}`;
      },
    };
  },
};
