/** A pass's file gives the same result on the command line, where its code runs in its own process, and imported together with `oriscope`, where it is an ordinary module. */

import { describe, expect, it } from "vitest";
import { parseArgs } from "../src/cli/args.ts";
import { COMMON_OPTIONS, type Command } from "../src/cli/command.ts";
import { analyzeCommand } from "../src/cli/commands/analyze.ts";
import { runCommand } from "../src/cli/commands/run.ts";
import { traceCommand } from "../src/cli/commands/trace.ts";
import type { Io } from "../src/cli/io.ts";
import type { AnalyzeJson, RunJson, TraceJson } from "../src/cli/shapes.ts";
import { freshSeed } from "../src/engine/testing/seed.ts";
import { PASS_TEMPLATES } from "../src/features/ownpass/engine/check/templates.ts";
import { passProgram } from "../src/features/ownpass/engine/programs.ts";
import { laws, type OwnAnalysis, type OwnPass, readTrace, runAnalysis, runPass } from "../src/package/index.ts";

/** Random programs: that of this seed, and one more on which the pass does something. */
const SEED = 1;
const MORE = Array.from({ length: 100 }, (_, i) => 5 + i);

const rewritesOn = (seed: number, pass: OwnPass): number => {
  const done = runPass(passProgram(seed).text, pass);
  return done.ok ? done.rewrites : 0;
};

async function json<T>(command: Command, files: Readonly<Record<string, string>>, ...argv: string[]): Promise<T> {
  let [out, err] = ["", ""];
  const io: Io = {
    readText: (path) => files[path] ?? "",
    readBytes: () => new Uint8Array(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => 0,
    files: { list: () => null, sizeOf: () => 0, write: () => undefined, same: () => false, env: () => undefined, entry: null },
  };
  const args = parseArgs([...argv, "--json"], { positionals: command.positionals, options: [...command.options, ...COMMON_OPTIONS] });
  await Promise.resolve(command.run(args, io)).catch((error: Error) => {
    throw new Error(`${error.message}\n${err}`);
  });
  return JSON.parse(out) as T;
}

/** Only a compiled pass has lines. */
const told = ({ kind, sentence, depth, parent }: Pick<TraceJson, "kind" | "sentence" | "depth" | "parent">) => ({
  kind,
  sentence,
  depth,
  parent,
});

/** The steps between the beginning and the end of the phase, which only the pipeline reports. */
const inside = (events: readonly TraceJson[]) =>
  events
    .slice(1, -1)
    .map(told)
    .map((event) => ({ ...event, depth: event.depth - 1, parent: event.parent - 1 }));

/** Each file whole and, where there is one, as an exercise. */
const FILES = PASS_TEMPLATES.flatMap(({ id, kind, solution, exercise }) => [
  { name: id, kind, whole: id !== "empty", path: `../passes/${id}.ts`, source: solution },
  ...(exercise === null ? [] : [{ name: `${id}, exercise`, kind, whole: false, path: `../passes/exercises/${id}.ts`, source: exercise }]),
]);
// Of the exercises of passes every second one, the others on other commits.
const PASSES = FILES.filter(({ kind, whole }) => kind === "pass" && whole).concat(
  FILES.filter(({ kind, whole }) => kind === "pass" && !whole).filter((_, i) => i % 2 === freshSeed() % 2),
);
const ANALYSES = FILES.filter(({ kind }) => kind === "analysis");

describe("one file, two ways to run it", { timeout: 300_000 }, () => {
  it.each(PASSES)("$name", async ({ name, whole, path, source }) => {
    const { default: pass } = (await import(path)) as { readonly default: OwnPass };
    let rewrites = 0;
    const fires = name === "empty" ? undefined : MORE.find((seed) => rewritesOn(seed, pass) > 0);
    for (const seed of fires === undefined ? [SEED] : [SEED, fires]) {
      const { text } = passProgram(seed);
      const imported = runPass(text, pass);
      if (!imported.ok) throw new Error(imported.message);
      rewrites += imported.rewrites;
      const files = { "k.ori": text, "mine.ts": source };
      const run = json<RunJson>(runCommand, files, "k.ori", "--pass", "mine.ts");
      const law = laws(text, pass, { inputs: 1 });
      // An exercise may throw, or make an invalid program: then both report it.
      if (imported.error !== null) await expect(run).rejects.toThrow(imported.error);
      else if (!whole && law.ok && law.law === "verify") {
        await expect(run).rejects.toThrow("verifier");
        await expect(json(traceCommand, files, "k.ori", "--pass", "mine.ts")).rejects.toThrow("verifier");
        continue;
      } else {
        const [kernel] = (await run).kernels;
        const [phase] = kernel?.phases ?? [];
        const { changed, why } = imported;
        expect({ seed, text: kernel?.text, changed: phase?.changed, rewrites: phase?.rewrites, why: phase?.reason }).toEqual({
          seed,
          text: imported.text,
          changed,
          rewrites: imported.rewrites,
          // A pass that requested no rewrite gives no reason, and the pipeline uses its own sentence.
          why: changed ? null : (why ?? "no candidate"),
        });
      }
      const traced = await json<readonly TraceJson[]>(traceCommand, files, "k.ori", "--pass", "mine.ts");
      const read = readTrace(await imported.publish("trace"));
      if (!read.ok) throw new Error(read.message);
      expect(inside(traced)).toEqual(read.documents[0]?.phases[0]?.steps.map(told));
    }
    // What nothing was done to would be the same in any way of running it.
    if (whole) expect(rewrites).toBeGreaterThan(0);
  });

  it.each(ANALYSES)("$name, an analysis", async ({ whole, path, source }) => {
    const { default: analysis } = (await import(path)) as { readonly default: OwnAnalysis };
    const { text } = passProgram(SEED);
    const imported = runAnalysis(text, analysis);
    if (!imported.ok) throw new Error(imported.message);
    const files = { "k.ori": text, "mine.ts": source };
    const analyzed = json<AnalyzeJson>(analyzeCommand, files, "k.ori", "--pass", "mine.ts");
    if (imported.error === null) expect((await analyzed).own?.[0]?.blocks).toEqual(imported.blocks);
    else await expect(analyzed).rejects.toThrow(imported.error);
    const traced = await json<readonly TraceJson[]>(traceCommand, files, "k.ori", "--pass", "mine.ts");
    const read = readTrace(await imported.publish("trace"));
    if (!read.ok) throw new Error(read.message);
    expect(inside(traced)).toEqual(read.documents[0]?.phases[0]?.steps.map(told));
    if (whole) expect([imported.blocks.length > 0, inside(traced).length > 0]).toEqual([true, true]);
    // A hole is seen: what would agree without it is no exercise.
    expect(imported.blocks.every((block) => block.same)).toBe(whole);
  });

  it("an analysis that throws, or is compared with none of ours that there is", () => {
    const { text } = passProgram(1);
    const analysis = (run: OwnAnalysis["run"], of: string): OwnAnalysis => ({
      kind: "analysis",
      name: "mine",
      of: of as OwnAnalysis["of"],
      run,
    });
    const fails = (): never => {
      throw new Error("not yet");
    };
    expect(runAnalysis(text, analysis(fails, "rpo"))).toMatchObject({ ok: true, blocks: [], error: "not yet" });
    expect(
      runAnalysis(
        text,
        analysis(() => new Map(), "colour"),
      ),
    ).toMatchObject({ blocks: [], error: expect.stringContaining("'colour'") });
    expect(runAnalysis(".kernel k(", analysis(fails, "rpo"))).toMatchObject({ ok: false });
  });
});
