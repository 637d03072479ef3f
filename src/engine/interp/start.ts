/** What a run starts with: the machine with its memory, and the parameters in the registers of each warp. */

import { GLOBAL_BASE } from "../ir/symbol-address.ts";
import type { Module } from "../ir/types.ts";
import type { Code } from "./code.ts";
import { codeOf } from "./decode.ts";
import { constantBanks, declaredIn, initialised, symbolMemory } from "./launch.ts";
import { LANES, Machine } from "./machine.ts";
import { putMark } from "./marks.ts";
import { GlobalMemory, type Region, region } from "./memory.ts";
import type { RunInputs } from "./outcome.ts";
import type { Activation } from "./simt.ts";
import type { StandIns } from "./stand-ins.ts";

const DEFAULT_SHARED = 48 * 1024;
const DEFAULT_LOCAL = 4096;
const NOTHING_GIVEN: ReadonlyMap<string, number> = new Map();

/** `symbols`: the memory of declared global symbols. */
export function startMachine(module: Module, code: Code, inputs: RunInputs, symbols: Region | null, standIns: StandIns | null): Machine {
  const { fn } = code;
  const constants = constantBanks(module, inputs, (bank, known) => standIns?.begin(bank, known, false));
  for (const buffer of inputs.buffers) standIns?.begin(buffer, "all");
  if (symbols !== null) standIns?.begin(symbols, declaredIn(module, "global"));
  const symbolBuffer = symbols === null ? [] : [{ name: "", base: GLOBAL_BASE, ...symbols }];
  const localSymbols = module.symbols.reduce((end, s) => (s.space === "local" ? Math.max(end, s.offset + s.size) : end), 0);
  // A run may leave threads out, the last ones; a block of a required size has no more than these.
  const most = fn.blockSize?.reduce((n, size) => n * size) ?? 1024;
  const threads = Math.max(1, Math.min(most, Math.floor(inputs.threads)));
  const callees = code.calls ? module.funcs.filter((f) => f.kind === "func") : [];
  const codes = [code, ...callees.map((f) => codeOf(f, module))];
  return new Machine({
    threads,
    global: new GlobalMemory([...inputs.buffers, ...symbolBuffer]),
    readsLaunched: codes.some(({ readsLaunched }) => readsLaunched),
    readsStored: codes.some(({ readsStored }) => readsStored),
    makeShared: () => {
      const shared = symbolMemory(module, "shared", inputs.sharedBytes ?? DEFAULT_SHARED) ?? region(0);
      standIns?.begin(shared, initialised(module));
      return shared;
    },
    localBytes: Math.max(inputs.localBytes ?? DEFAULT_LOCAL, Math.ceil(localSymbols / 16) * 16),
    constants,
    specials: {
      blockDim: fn.blockSize ?? inputs.blockDim ?? [threads, 1, 1],
      gridDim: inputs.gridDim ?? [1, 1, 1],
      blockIdx: inputs.blockIdx ?? [0, 0, 0],
      given: inputs.specials ?? NOTHING_GIVEN,
    },
    begun: (local) => standIns?.begin(local, []),
    clock: inputs.clock,
  });
}

/** Puts the parameters into the registers of a warp. */
export function giveParams({ code, r, p, marks }: Activation, warp: number, { args }: RunInputs, standIns: StandIns | null): void {
  code.params.forEach((place, i) => {
    const given = args[i];
    const arg = given ?? 0;
    if (place.mark >= 0 && standIns !== null) {
      const { name, line, params } = code.fn;
      const what = `the parameter ${params[i]?.name ?? ""}, which is not given`;
      const why = given === undefined ? standIns.number({ kind: "value", what, func: name, line }) : 0;
      putMark(marks, place.mark, -1, { lanes: why === 0 ? 0 : -1, why });
    }
    for (let l = 0; l < LANES; l++) {
      const value = typeof arg === "function" ? arg(warp * LANES + l) : arg;
      const [lo, hi] = typeof value === "number" ? [value, 0] : value;
      if (place.predicate) {
        if (place.at > 1 && (lo & 1) !== 0) p[place.at] = (p[place.at] as number) | (1 << l);
      } else {
        r[place.at + l] = lo;
        if (place.wide) r[place.at + LANES + l] = hi;
      }
    }
  });
}
