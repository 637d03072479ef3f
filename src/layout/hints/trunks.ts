/**
 * Decides which long lines into a card share a lane. The line that begins highest is the trunk; its neighbours join it in the first row
 * that they pass, if no card and no other line is between them. A single line that only other lines separate from a trunk joins it too,
 * since it crosses them in any case. So a ladder with two exits has two lanes, not one per rung.
 */
import type { Hints } from "./hints.ts";

/** Positions are whole numbers; the lines of one trunk are this far apart, in their existing order. */
const APART = 0.0001;

export function trunks(hints: Hints): Hints {
  const { graph, order } = hints;
  const place = Float64Array.from(order.edgeKey);
  const trunk = new Int32Array(graph.edgeCount).fill(-1);
  const between = thingsBetween(hints);
  for (let n = 0; n < graph.count; n++) {
    const waiting = [longLinesInto(hints, n)];
    for (let lines = waiting.pop(); lines !== undefined; lines = waiting.pop()) {
      if (lines.length < 2) continue;
      const at = lines.reduce((high, e, i) => (topOf(hints, e) < topOf(hints, lines[high] ?? 0) ? i : high), 0);
      const main = lines[at] ?? -1;
      const joined = [main];
      /** From the trunk outwards: a line that cannot join it may begin a new trunk. */
      const walk = (side: readonly number[]): number[] => {
        for (const [i, line] of side.entries()) {
          const what = between(main, line);
          const next = side[i + 1];
          const isAlone = next === undefined || between(line, next) !== "nothing";
          if (what === "cards" || (what === "lines" && !isAlone)) return side.slice(i);
          joined.push(line);
        }
        return [];
      };
      waiting.push(walk(lines.slice(0, at).reverse()).reverse(), walk(lines.slice(at + 1)));
      if (joined.length < 2) continue;
      for (const line of joined) {
        trunk[line] = main;
        place[line] = (order.edgeKey[main] ?? 0) + (lines.indexOf(line) - at) * APART;
      }
    }
  }
  return { ...hints, place, trunk };
}

type Between = "nothing" | "lines" | "cards";

/** From left to right. */
function longLinesInto(hints: Hints, n: number): number[] {
  const { graph, order } = hints;
  return Array.from(graph.pred.subarray(graph.predStart[n], graph.predStart[n + 1]))
    .filter((e) => isLong(hints, e))
    .sort((a, b) => (order.edgeKey[a] ?? 0) - (order.edgeKey[b] ?? 0));
}

const topOf = ({ graph, row }: Hints, e: number): number => row[graph.from[e] ?? 0] ?? 0;
const bottomOf = ({ graph, row }: Hints, e: number): number => row[graph.to[e] ?? 0] ?? 0;
const isLong = (hints: Hints, e: number): boolean => hints.order.back[e] !== 1 && bottomOf(hints, e) - topOf(hints, e) > 1;

/** What is between two lines into the same card, in the rows that both pass. */
function thingsBetween(hints: Hints): (a: number, b: number) => Between {
  const { graph, order, row } = hints;
  interface Thing {
    readonly key: number;
    readonly from: number;
    readonly to: number;
    readonly into: number;
  }
  const things: Thing[] = [];
  for (let n = 0; n < graph.count; n++) things.push({ key: order.nodeKey[n] ?? 0, from: row[n] ?? 0, to: row[n] ?? 0, into: -1 });
  for (let e = 0; e < graph.edgeCount; e++)
    if (order.back[e] !== 1)
      things.push({ key: order.edgeKey[e] ?? 0, from: topOf(hints, e) + 1, to: bottomOf(hints, e) - 1, into: graph.to[e] ?? 0 });
  things.sort((a, b) => a.key - b.key);
  const at = new Map(things.map(({ key }, i) => [key, i]));
  return (a, b) => {
    const [left, right] = [a, b].map((e) => order.edgeKey[e] ?? 0).sort((x, y) => x - y);
    const [first, last] = [Math.max(topOf(hints, a), topOf(hints, b)) + 1, bottomOf(hints, a) - 1];
    let found: Between = "nothing";
    for (let i = (at.get(left ?? 0) ?? 0) + 1; i < things.length; i++) {
      const thing = things[i];
      if (thing === undefined || thing.key >= (right ?? 0)) break;
      if (thing.from > last || thing.to < first || thing.into === graph.to[a]) continue;
      if (thing.into < 0) return "cards";
      found = "lines";
    }
    return found;
  };
}
