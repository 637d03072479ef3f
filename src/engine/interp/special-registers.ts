/** Values of special registers for one thread of the one block that a run has. */

import { fnvOfText } from "../../base/hash.ts";
import { isCounter, WARP_SLOTS } from "../ir/special-registers.ts";
import type { Machine } from "./machine.ts";

/** False for clocks and counters, and for registers whose value no run knows by itself. */
export const hasModel = (name: string): boolean => READERS[name] !== undefined;

/**
 * The 32-bit value of a register for a lane of the current warp: what the run was given, else what the launch makes it. Registers that no run models have a
 * fixed value of their own, derived from their name.
 */
export function specialValue(name: string, inst: number): (machine: Machine, lane: number) => number {
  const usual = usualValue(name, inst);
  return (machine, lane) => {
    const { given } = machine.specials;
    return given.size === 0 ? usual(machine, lane) : (given.get(name) ?? usual(machine, lane));
  };
}

function usualValue(name: string, inst: number): Reader {
  const read = READERS[name];
  if (read !== undefined) return read;
  if (isCounter(name)) {
    const high = name.endsWith("HI");
    return (machine, lane) => {
      const thread = machine.thread(lane);
      const count = ((machine.clocks[thread] as number) + 1) >>> 0;
      machine.clocks[thread] = count;
      return high ? 0 : machine.clock(thread, count, inst);
    };
  }
  const fixed = fnvOfText(name) & 0xffff;
  return () => fixed;
}

const position = (axis: 0 | 1 | 2) => (machine: Machine, lane: number) => {
  const [x, y] = machine.specials.blockDim;
  const thread = machine.thread(lane);
  return axis === 0 ? thread % x : axis === 1 ? Math.floor(thread / x) % y : Math.floor(thread / (x * y));
};

type Reader = (machine: Machine, lane: number) => number;

const READERS: Readonly<Record<string, Reader>> = {
  "SR_TID.X": position(0),
  "SR_TID.Y": position(1),
  "SR_TID.Z": position(2),
  SR_TID: (machine, lane) => {
    const [x, y, z] = [position(0)(machine, lane), position(1)(machine, lane), position(2)(machine, lane)];
    return x | (y << 16) | (z << 26);
  },
  "SR_NTID.X": (machine) => machine.specials.blockDim[0],
  "SR_NTID.Y": (machine) => machine.specials.blockDim[1],
  "SR_NTID.Z": (machine) => machine.specials.blockDim[2],
  "SR_CTAID.X": (machine) => machine.specials.blockIdx[0],
  "SR_CTAID.Y": (machine) => machine.specials.blockIdx[1],
  "SR_CTAID.Z": (machine) => machine.specials.blockIdx[2],
  "SR_NCTAID.X": (machine) => machine.specials.gridDim[0],
  "SR_NCTAID.Y": (machine) => machine.specials.gridDim[1],
  "SR_NCTAID.Z": (machine) => machine.specials.gridDim[2],
  // A run has one block, so the block is a cluster by itself.
  "SR_CLUSTERID.X": (machine) => machine.specials.blockIdx[0],
  "SR_CLUSTERID.Y": (machine) => machine.specials.blockIdx[1],
  "SR_CLUSTERID.Z": (machine) => machine.specials.blockIdx[2],
  "SR_NCLUSTERID.X": (machine) => machine.specials.gridDim[0],
  "SR_NCLUSTERID.Y": (machine) => machine.specials.gridDim[1],
  "SR_NCLUSTERID.Z": (machine) => machine.specials.gridDim[2],
  "SR_CLUSTER_CTAID.X": () => 0,
  "SR_CLUSTER_CTAID.Y": () => 0,
  "SR_CLUSTER_CTAID.Z": () => 0,
  "SR_CLUSTER_NCTAID.X": () => 1,
  "SR_CLUSTER_NCTAID.Y": () => 1,
  "SR_CLUSTER_NCTAID.Z": () => 1,
  SR_IS_EXPLICIT_CLUSTER: () => 0,
  SR_CgaCtaId: () => 0,
  SR_CLUSTER_CTARANK: () => 0,
  SR_CLUSTER_NCTARANK: () => 1,
  // An environment is given by the driver; a launch without one has zeros (OpenCL's offsets, for example).
  ...Object.fromEntries(Array.from({ length: 32 }, (_, i): [string, Reader] => [`SR_ENVREG${i}`, () => 0])),
  SR_LANEID: (_machine, lane) => lane,
  SR_WARPID: (machine) => machine.warp,
  SR_VIRTID: (machine) => machine.warp,
  SR_NWARPID: () => WARP_SLOTS,
  SR_SMID: () => 0,
  SR_VIRTUALSMID: () => 0,
  SR_NSMID: () => 1,
  SR_GRIDID: () => 0,
  SR_EQMASK: (_machine, lane) => 1 << lane,
  SR_LTMASK: (_machine, lane) => (1 << lane) - 1,
  SR_LEMASK: (_machine, lane) => (lane === 31 ? -1 : (1 << (lane + 1)) - 1),
  SR_GTMASK: (_machine, lane) => (lane === 31 ? 0 : -1 << (lane + 1)),
  SR_GEMASK: (_machine, lane) => -1 << lane,
};
