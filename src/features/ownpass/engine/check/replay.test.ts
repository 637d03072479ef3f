/** What a pass did in its sandbox is replayed outside with the same result, also when rewrites are refused; an invalid script is only an error. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../../base/prng.ts";
import { guestProgram } from "../../../../engine/api/own/program.ts";
import { targetOf } from "../../../../engine/config/targets.ts";
import { runPassOnce } from "../../../../engine/pipeline/run-phase.ts";
import { draws, freshSeed } from "../../../../engine/testing/seed.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { printModule } from "../../../../engine/text/printer.ts";
import { NO_RECORDER } from "../../../../engine/trace/recorder.ts";
import { Recording } from "../../../../engine/trace/recording.ts";
import { Trace } from "../../../../engine/trace/trace.ts";
import { boxRunner } from "../../box/runner.ts";
import { replayPass } from "../api/replay.ts";
import { passProgram, passPrograms } from "../programs.ts";
import { subjectOf, templateSource } from "./testing/subject.ts";

const SEED = freshSeed();
const ENV = { target: targetOf("sm_90"), level: 3, policy: "notes", knobs: {} } as const;

describe(`replay, from seed ${SEED}`, { timeout: 300_000 }, () => {
  const runner = boxRunner();

  it.each([
    "jump-to-next",
    "dead-code",
    "unreachable-code",
    "local-value-numbering",
    "constant-propagation",
    "licm",
    "into-ssa",
    "out-of-ssa",
  ])("%s gives the same again", async (name) => {
    const source = templateSource(name);
    const subject = subjectOf(source, runner);
    for (let seed = SEED; seed < SEED + draws(5); seed++) {
      const rng = createPrng(seed);
      const { module } = parseModule(passProgram(seed).text);
      const [fn] = module.funcs;
      const skips = rng.chance(0.5) ? [1 + rng.below(3), 1 + rng.below(6)] : [];
      const fuel = rng.chance(0.3) ? rng.below(5) : null;
      const lines = source.split("\n");
      const answer = await runner.ask({
        ask: "run",
        code: subject.code,
        program: guestProgram(fn!, module),
        source: lines,
        skips,
        fuel,
        record: true,
        lines: rng.chance(0.5) ? 500 : 0,
        twice: false,
      });
      if (!("script" in answer)) throw new Error(JSON.stringify(answer));
      expect({ seed, thrown: answer.thrown }).toEqual({ seed, thrown: null });
      const pass = replayPass({ name, summary: name, source: lines, script: answer.script, thrown: null });
      const interventions = { skips: new Set(skips), drops: new Set<string>() };
      const run = (rec: typeof NO_RECORDER) =>
        runPassOnce(pass, pass.ids[0]!, fn!, { ...ENV, module, rec, fuel: fuel === null ? null : { left: fuel }, interventions });
      const plain = run(NO_RECORDER);
      expect({ seed, error: plain.error }).toEqual({ seed, error: null });
      expect(printModule({ ...module, funcs: [plain.fn], tail: [] })).toBe(answer.text);
      expect(plain.outcome?.rewrites).toBe(answer.rewrites);
      const recording = new Recording(fn!);
      const traced = run(recording);
      expect(printModule({ ...module, funcs: [traced.fn], tail: [] })).toBe(answer.text);
      const trace = new Trace(recording, fn!);
      expect(printModule({ ...module, funcs: [trace.funcAt(-1)], tail: [] })).toBe(printModule({ ...module, funcs: [fn!], tail: [] }));
      for (let step = 0; step < Math.min(trace.steps, 40); step++) expect(trace.event(step).line).toBeLessThanOrEqual(lines.length);
    }
  });

  it("an answer that is damaged costs an error at most", async () => {
    const source = templateSource("into-ssa");
    const subject = subjectOf(source, runner);
    const { text } = passProgram(1);
    const found = passPrograms(text);
    if (typeof found === "string") throw new Error(found);
    const { module } = parseModule(text);
    const answer = await runner.ask({
      ask: "run",
      code: subject.code,
      program: found[0]!.program,
      source: [],
      skips: [],
      fuel: null,
      record: true,
      lines: 20,
      twice: false,
    });
    if (!("script" in answer) || answer.script === null) throw new Error(JSON.stringify(answer));
    const rng = createPrng(SEED);
    const JUNK: readonly unknown[] = [
      null,
      -1,
      1e9,
      0.5,
      "",
      "x",
      [],
      {},
      true,
      [[[]]],
      { blocks: [-1] },
      { insts: [1e9] },
      { like: 99 },
      "STG [R0], R0",
      "__proto__",
    ];
    for (let n = 0; n < 300; n++) {
      const script = structuredClone(answer.script) as unknown[][];
      for (let times = 1 + rng.below(3); times > 0; times--) {
        const at = rng.below(script.length);
        const entry = script[at]!;
        const kind = rng.below(4);
        if (kind === 0) script.splice(at, 1);
        else if (kind === 1) script.splice(at, 0, script[rng.below(script.length)]!);
        else if (kind === 2 && Array.isArray(entry)) entry[rng.below(entry.length + 1)] = rng.pick(JUNK);
        else script[at] = rng.pick(JUNK) as unknown[];
      }
      const pass = replayPass({ name: "damaged", summary: "", source: [], script, thrown: null });
      const fn = module.funcs[0]!;
      const result = runPassOnce(pass, pass.ids[0]!, fn, { ...ENV, module, rec: new Recording(fn) });
      // Any script gives a program or a sentence.
      if (result.error !== null) expect(result.fn).toBe(fn);
      else expect(parseModule(printModule({ ...module, funcs: [result.fn], tail: [] })).module.funcs).toHaveLength(1);
    }
    for (const script of [null, "x", 5, {}, [5], [["end"]], [["rewrite"]], [["lines", ["a"]]]]) {
      const pass = replayPass({ name: "none", summary: "", source: [], script, thrown: null });
      const fn = module.funcs[0]!;
      expect(runPassOnce(pass, pass.ids[0]!, fn, { ...ENV, module, rec: NO_RECORDER }).error).toContain("cannot be done again");
    }
  });
});
