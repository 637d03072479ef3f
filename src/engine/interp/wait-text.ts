/** Which lanes wait for those that still run, in words. */

import { popcount } from "../../base/bitset.ts";
import { LANES } from "./machine.ts";
import type { Path, Warp } from "./simt.ts";

/** Empty: none do. */
export function waitText(warp: Warp, path: Path): string {
  const found = warp.waitingFor(path);
  if (found === null) return "";
  const running = path.act.code.blocks[path.block]?.label ?? "";
  const [run, it] = popcount(path.mask) === 1 ? ["runs", "it"] : ["run", "them"];
  const wait = popcount(found.lanes) === 1 ? "waits" : "wait";
  return `: ${laneText(path.mask)} of warp ${warp.index} ${run} on in ${running}, and ${laneText(found.lanes)} ${wait} for ${it} at ${found.block}`;
}

function laneText(mask: number): string {
  const lanes = Array.from({ length: LANES }, (_, l) => l).filter((l) => ((mask >>> l) & 1) !== 0);
  const [first, last] = [lanes[0] ?? 0, lanes.at(-1) ?? 0];
  if (lanes.length === 1) return `lane ${first}`;
  return last - first + 1 === lanes.length ? `lanes ${first} to ${last}` : `lanes ${lanes.join(", ")}`;
}
