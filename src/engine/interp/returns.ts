/** What the threads of a function returned, read from the registers of their warps. */

import type { Code } from "./code.ts";
import { LANES } from "./machine.ts";
import { markAt, UNWRITTEN, whyOf } from "./marks.ts";
import type { ExecOutcome } from "./outcome.ts";
import type { Warp } from "./simt.ts";
import { type StandIns, unwritten } from "./stand-ins.ts";

export function returnsOf(code: Code, warps: readonly Warp[], threads: number): Pick<ExecOutcome, "returned" | "returns"> {
  const returned = new Uint8Array(threads);
  for (let t = 0; t < threads; t++) returned[t] = ((warps[Math.floor(t / LANES)] as Warp).returned >>> (t % LANES)) & 1;
  const returns = code.returns.map(({ at, predicate, wide }) => {
    const lo = new Uint32Array(threads);
    const hi = wide ? new Uint32Array(threads) : null;
    for (let t = 0; t < threads; t++) {
      if (returned[t] === 0) continue;
      const { r, p } = (warps[Math.floor(t / LANES)] as Warp).root;
      const l = t % LANES;
      lo[t] = predicate ? ((p[at] as number) >>> l) & 1 : (r[at + l] as number);
      if (hi !== null) hi[t] = r[at + LANES + l] as number;
    }
    return { lo, hi };
  });
  return { returned, returns };
}

/** For each returned register the sources of the stand-ins in it, by thread; 0: it has none. */
export function standInsReturned(code: Code, warps: readonly Warp[], returned: Uint8Array, standIns: StandIns): readonly Uint8Array[] {
  return code.returns.map(({ mark, reg }) => {
    const whys = new Uint8Array(returned.length);
    if (mark < 0) return whys;
    const { name, line } = code.fn;
    returned.forEach((did, t) => {
      const found = did === 0 ? 0 : whyOf(markAt((warps[Math.floor(t / LANES)] as Warp).root.marks, mark, -1), t % LANES);
      whys[t] = found === UNWRITTEN ? standIns.number({ kind: "value", what: unwritten(reg), func: name, line }) : found;
    });
    return whys;
  });
}
