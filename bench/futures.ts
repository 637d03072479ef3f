/**
 * What futures cost: `node scripts/run-ts.mjs bench/futures.ts`. Printed is processor time of: the lights of every rewrite of a run of about 500 instructions and
 * 200 rewrites, the search for the first wrong one after a condition was dropped, and, on about 10,000 instructions, a run with no interventions,
 * a future that is new and one that is gone back to. Times are this machine's: the plain run of the last line is there to read the others by.
 */
import { DEFAULT_PIPELINE } from "../src/engine/api/defaults.ts";
import { EngineSession } from "../src/engine/api/session.ts";
import type { Intervention, PipelineOptions } from "../src/engine/api/types.ts";
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

/** A random program of about so many instructions and rewrites. */
function chosen(instructions: number, rewrites: number): Opened {
  for (let seed = 1; seed < 400; seed++) {
    const found = opened(generateText({ seed, profile: "any", size: 60 }), "ori");
    if (Math.abs(found.instructions - instructions) > instructions / 10) continue;
    found.session.run(1, found.kernel, DEFAULT_PIPELINE);
    const made = found.session.bisect(1, 1, false)?.rewrites ?? 0;
    if (Math.abs(made - rewrites) <= rewrites / 5) return found;
  }
  throw new Error(`no program of about ${instructions} instructions and ${rewrites} rewrites`);
}

function lights(): void {
  const { session, instructions } = chosen(500, 200);
  for (const round of ["first", "second"]) {
    // Other inputs, so that nothing is remembered; the second time the code is compiled.
    const seed = round === "first" ? 11 : 12;
    const rewrites = session.bisect(16, seed + 100, false)?.rewrites ?? 0;
    const { ms, value } = timed(() => Array.from({ length: rewrites + 1 }, (_, n) => session.light(n, 16, seed)?.colour));
    const green = value.filter((colour) => colour === "green").length;
    console.log(`${round}: ${instructions} instructions, ${rewrites} rewrites, all lights: ${ms.toFixed(0)} ms (${green} green)`);
  }
}

function firstWrong(): void {
  for (const drop of [
    { phase: "branch-folding", condition: "tail-sees-lanes" },
    { phase: "gvn-cse", condition: "leader-dominates" },
  ]) {
    const { session, kernel } = chosen(500, 200);
    session.run(3, kernel, told({ kind: "drop", ...drop }));
    const { ms, value } = timed(() => session.bisect(16, 1, false));
    console.log(`bisect without ${drop.phase}:${drop.condition}: ${ms.toFixed(0)} ms, first wrong ${value?.first?.address ?? "none"}`);
  }
}

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
