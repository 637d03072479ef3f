/**
 * What futures cost: `node scripts/run-ts.mjs bench/futures.ts`. Printed is processor time of: the lights of every rewrite of a run of about 500 instructions and
 * 300 rewrites, the search for the first wrong one in programs of that size which a dropped condition spoils (and in one that it does not), and, on about 10,000
 * instructions, a run with no interventions, a future that is new and one that is gone back to. Times are this machine's: the plain run of the last line
 * is there to read the others by. The first lights and the first search include compiling the code. What the questions cost when nobody intervenes:
 * `bench/hooks.ts`.
 */

import { inwards } from "../src/app/futures/lights.ts";
import { DEFAULT_PIPELINE } from "../src/engine/api/defaults.ts";
import { EngineSession } from "../src/engine/api/session.ts";
import type { Intervention, PipelineOptions, RunResult } from "../src/engine/api/types.ts";
import { generateText } from "../src/engine/fuzz/generate/generate.ts";
import { randomKernel, toPtx } from "./kernels.ts";

const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function timed<T>(work: () => T): { readonly ms: number; readonly value: T } {
  const began = processor();
  const value = work();
  return { ms: processor() - began, value };
}

const told = (...interventions: readonly Intervention[]): PipelineOptions => ({ ...DEFAULT_PIPELINE, interventions });

interface Opened {
  readonly session: EngineSession;
  readonly kernel: string;
  readonly instructions: number;
}

function opened(text: string, format: "ori" | "ptx"): Opened {
  const session = new EngineSession();
  const { kernels, ok } = session.open(1, text, format);
  const [kernel] = kernels;
  if (!ok || kernel === undefined) throw new Error("the program could not be read");
  return { session, kernel: kernel.name, instructions: kernel.instructions };
}

/** A random program of about 500 instructions and 200 to 460 rewrites. */
const random = (seed: number): Opened => opened(generateText({ seed, profile: "any", size: 60 }), "ori");

function lights(): void {
  const { session, kernel, instructions } = random(202);
  const rewrites = rewritesOf(session.run(1, kernel, DEFAULT_PIPELINE));
  for (const round of ["first", "second"]) {
    // Other inputs, so that nothing is remembered; the second time the code is compiled.
    const seed = round === "first" ? 11 : 12;
    // As the page asks for them.
    const order = inwards(0, rewrites);
    const { ms, value } = timed(() => order.map((n) => session.futures.light(n, 16, seed)?.colour));
    const green = value.filter((colour) => colour === "green").length;
    console.log(`${round}: ${instructions} instructions, ${rewrites} rewrites, all lights: ${ms.toFixed(0)} ms (${green} green)`);
  }
}

/** Programs that mean something else without the condition, and one that does not. */
const WRONG: readonly (readonly [seed: number, phase: string, condition: string])[] = [
  [118, "gvn-cse", "value-overwritten"],
  [118, "late-ori-commoning", "value-overwritten"],
  [1, "general-optimize", "several-definitions"],
  [1, "general-optimize", "source-redefined"],
  [1, "general-optimize-mid", "source-redefined"],
  [202, "gvn-cse", "leader-dominates"],
];

function firstWrong(): void {
  for (const [seed, phase, condition] of WRONG) {
    const { session, kernel, instructions } = random(seed);
    const rewrites = rewritesOf(session.run(3, kernel, told({ kind: "drop", phase, condition })));
    const { ms, value } = timed(() => session.futures.bisect(16, 1, false));
    const found = value?.first == null ? "none" : `${value.first.address} (${value.first.total})`;
    console.log(
      `bisect without ${phase}:${condition}, ${instructions} instructions, ${rewrites} rewrites: ${ms.toFixed(0)} ms, first wrong ${found}`,
    );
  }
}

const rewritesOf = ({ phases }: RunResult): number => phases.reduce((n, { rewrites }) => n + rewrites, 0);

function switching(): void {
  const { session, kernel, instructions } = opened(toPtx(randomKernel(10_000, 7)), "ptx");
  session.run(1, kernel, DEFAULT_PIPELINE);
  const plain = timed(() => session.run(2, kernel, { ...DEFAULT_PIPELINE, verify: false, check: 0, fuel: 1_000_000 }));
  const future = timed(() => session.run(3, kernel, told({ kind: "skip", run: "49", n: 3 })));
  const back = timed(() => session.run(4, kernel, DEFAULT_PIPELINE));
  const again = timed(() => session.run(5, kernel, told({ kind: "skip", run: "49", n: 3 })));
  const said = (name: string, ms: number): string => `${name} ${ms.toFixed(0)} ms (${(ms / plain.ms).toFixed(2)})`;
  console.log(
    `${instructions} instructions: ${said("plain run", plain.ms)}, ${said("new future", future.ms)}, ${said("back", back.ms)}, ${said("and there again", again.ms)}`,
  );
}

lights();
firstWrong();
switching();
