/** What is run on a device: kernels with arguments that our interpreter carries out without a fault and without a race, and the memory it leaves. */

import { inputShape, makeInput, toRunInputs } from "../../src/engine/fuzz/inputs.ts";
import { importPtx } from "../../src/engine/import/ptx/import.ts";
import { runKernel } from "../../src/engine/interp/interpreter.ts";
import type { RunInputs } from "../../src/engine/interp/outcome.ts";
import { is64 } from "../../src/engine/ir/reg.ts";
import type { Func, Module } from "../../src/engine/ir/types.ts";
import { effectOf } from "../../src/engine/ir/visit.ts";
import type { Job } from "./driver.ts";

export interface Source {
  readonly name: string;
  readonly ptx: string;
}

export interface Case {
  readonly name: string;
  readonly job: Job;
  /** Buffers afterwards, as the interpreter has them. */
  readonly expected: readonly Uint8Array[];
  /** Approximated functions are not the same everywhere to the last bit: words are then compared as singles. */
  readonly approximate: boolean;
  /** The least `sm` that the text is for. */
  readonly sm: number;
}

export interface Cases {
  readonly cases: readonly Case[];
  /** Kernels of which there is none, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

const FUEL = 300_000;
/** Limit on the inputs tried until enough of them are suitable. */
const TRIES = 24;

export function casesOf(sources: readonly Source[], inputs: number, seed: number): Cases {
  const cases: Case[] = [];
  const left: { name: string; why: string }[] = [];
  for (const { name, ptx } of sources) {
    const { module, functions, diagnostics } = importPtx(ptx);
    if (diagnostics.some((d) => d.severity === "error")) left.push({ name, why: "it cannot be read" });
    for (const fn of module.funcs) {
      if (fn.kind !== "kernel") continue;
      const full = module.funcs.filter((f) => f.kind === "kernel").length > 1 ? `${name} ${fn.name}` : name;
      const why = unfit(module, fn);
      if (why !== null) left.push({ name: full, why });
      else {
        const entry = functions.find((f) => f.name === fn.name)?.ptxName ?? fn.name;
        const found = inputsOf(module, fn, { name: full, ptx, entry, inputs, seed });
        if (found.length === 0) left.push({ name: full, why: "no arguments were found that it ends with, without a fault or a race" });
        cases.push(...found);
      }
    }
  }
  return { cases, left };
}

/** Null if the device must agree with a run. */
function unfit(module: Module, fn: Func): string | null {
  const shape = inputShape(fn, 1);
  if (shape.bankWords.length > 0) return "its parameters are read as memory";
  for (const block of module.funcs.flatMap((f) => f.blocks)) {
    for (const inst of block?.insts ?? []) {
      if (inst.op === "OPAQUE") return "it has instructions without a meaning here";
      if (effectOf(inst) === "volatile" && inst.op !== "NANOSLEEP") return "it reads clocks";
      if (inst.ops.some((o) => o.kind === "sreg" && /SMID|WARPID|VIRTID|CLOCK|TIMER/.test(o.name))) return "it asks where it runs";
    }
  }
  return null;
}

interface Wanted {
  readonly name: string;
  readonly ptx: string;
  readonly entry: string;
  readonly inputs: number;
  readonly seed: number;
}

function inputsOf(module: Module, fn: Func, { name, ptx, entry, inputs, seed }: Wanted): Case[] {
  const found: Case[] = [];
  const approximate = module.funcs.some((f) =>
    f.blocks.some((b) => b?.insts.some((i) => i.op === "MUFU" || i.op === "DRSQ" || i.mods.includes("APPROX"))),
  );
  const hasVariables = module.symbols.some((s) => s.space === "global");
  const sm = Number(/\.target\s+sm_(\d+)/.exec(ptx)?.[1] ?? 0);
  for (let i = 0; i < TRIES && found.length < inputs; i++) {
    // Each run of the interpreter has a module's variables as they were at first: of several blocks, one would not see what another left there.
    const [blocks, threads] = i % 2 === 0 || hasVariables ? [1, 64] : [2, 32];
    const shape = inputShape(fn, blocks * threads);
    // A launch gives all threads the same.
    const spec = makeInput({ ...shape, params: shape.params.map((p) => ({ ...p, uniform: true })) }, seed, i, threads);
    // Whole warps: what a lane that is not there would give is not the same everywhere.
    const launch = { ...spec, threads };
    // Warps and blocks in two orders: a race between lanes of one warp is not seen, since their accesses have one order here.
    const expected = outcomeOf(module, fn, () => toRunInputs(launch, FUEL), blocks, "lowest");
    const other = outcomeOf(module, fn, () => toRunInputs(launch, FUEL), blocks, "highest");
    if (expected === null || other === null || expected.some((bytes, k) => Buffer.compare(bytes, other[k] ?? bytes) !== 0)) continue;
    const params = fn.params.map(({ reg }, k): Job["params"][number] => {
      const param = spec.params[k];
      if (param?.kind === "buffer") return { buffer: param.buffer };
      const value = param?.kind === "value" ? param.value : 0;
      const words = Buffer.alloc(8);
      words.writeUInt32LE((typeof value === "number" ? value : value[0]) >>> 0, 0);
      words.writeUInt32LE((typeof value === "number" ? 0 : value[1]) >>> 0, 4);
      return { bytes: words.subarray(0, is64(reg) ? 8 : 4).toString("hex") };
    });
    const buffers = spec.buffers.map((bytes) => Buffer.from(bytes).toString("base64"));
    found.push({ name: `${name} #${i}`, job: { ptx, kernel: entry, blocks, threads, params, buffers }, expected, approximate, sm });
  }
  return found;
}

/** The blocks of a launch one after the other, on the same memory; null when one does not end well. */
function outcomeOf(
  module: Module,
  fn: Func,
  fresh: () => RunInputs,
  blocks: number,
  schedule: "lowest" | "highest",
): readonly Uint8Array[] | null {
  const inputs = fresh();
  const order = Array.from({ length: blocks }, (_, i) => (schedule === "lowest" ? i : blocks - 1 - i));
  for (const block of order) {
    const { status } = runKernel(module, fn, { ...inputs, schedule, gridDim: [blocks, 1, 1], blockIdx: [block, 0, 0] });
    if (status !== "ok") return null;
  }
  return inputs.buffers.map((b) => b.bytes);
}
