/** `--pass` of check, run, trace, exec and analyze, by the command line: a right pass, a wrong one, an analysis, a position in the pipeline. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseArgs } from "../../../cli/args.ts";
import { COMMON_OPTIONS, type Command } from "../../../cli/command.ts";
import { analyzeCommand } from "../../../cli/commands/analyze.ts";
import { execCommand } from "../../../cli/commands/exec.ts";
import { runCommand } from "../../../cli/commands/run.ts";
import { traceCommand } from "../../../cli/commands/trace.ts";
import type { Io } from "../../../cli/io.ts";
import type { AnalyzeJson, ExecJson, RunJson, TraceJson } from "../../../cli/shapes.ts";
import { passProgram } from "../engine/programs.ts";
import { checkCommand } from "./check.ts";
import type { CheckJson } from "./shapes.ts";

const PROGRAM = ".kernel k(n: R0, a: RD1)\nA:\n  IADD R1, R0, 1\n  IADD R2, R0, 1\n  BRA B\nB:\n  STG [RD1], R1\n  EXIT\n";
const template = (name: string): string => readFileSync(new URL(`../../../../passes/${name}.ts`, import.meta.url), "utf8");
const FILES: Readonly<Record<string, string>> = {
  "k.ori": PROGRAM,
  "jump.ts": template("jump-to-next"),
  "lvn.ts": template("local-value-numbering"),
  "liveness.ts": template("liveness"),
  "wrong.ts": template("jump-to-next").replace("jump.target !== block.next", "jump.target === block"),
  "wrong-liveness.ts": template("liveness").replace("if (inst.alwaysWrites) ", ""),
  "dead.ts": template("dead-code"),
  "split.ts": `import { definePass } from "oriscope/pass";
export default definePass({
  name: "split",
  run(fn, ctx) {
    const [, second] = fn.entry.insts;
    if (second !== undefined) ctx.rewrite("the entry is split", { inst: second }, () => { fn.split(second, "HALF"); });
  },
});
`,
  "shy.ts": `import { definePass } from "oriscope/pass";
export default definePass({
  name: "shy",
  run(fn, ctx) {
    for (const inst of fn.entry.insts) if (inst.op === "IADD") ctx.refuse("adds", "it adds", { inst });
    ctx.why("no instruction is a NOP");
  },
});
`,
  "idle.ts": `import { definePass } from "oriscope/pass";
export default definePass({ name: "idle", run(fn, ctx) { ctx.rewrite("nothing", {}, () => {}); } });
`,
  "shy-analysis.ts": `import { defineAnalysis } from "oriscope/pass";
export default defineAnalysis({ name: "shy", of: null, run: () => new Map() });
`,
  "throws.ts": `import { definePass } from "oriscope/pass";
export default definePass({
  name: "throws",
  run(fn, ctx) {
    ctx.step("so far"); throw new Error("enough");
  },
});
`,
  "clock.ts": `import { definePass } from "oriscope/pass";
export default definePass({ name: "clock", run() { Date.now(); } });
`,
  "dice.ts": `import { definePass } from "oriscope/pass";
export default definePass({ name: "dice", run() { Math.random(); } });
`,
  "endless.ori": ".kernel k(a: RD1)\nA:\n  BRA B\nB:\n  BRA B\n",
  "sum.bril": `@main(n: int) {
  one: int = const 1;
  unused: int = add n one;
  i: int = const 0;
  s: int = const 0;
.head:
  more: bool = lt i n;
  br more .body .done;
.body:
  s: int = add s i;
  i: int = add i one;
  jmp .head;
.done:
  print s;
}
`,
  "bad.ts": "export default definePass({\n  name: 'x',,\n});\n",
};

async function command(cmd: Command, ...argv: string[]) {
  let [out, err] = ["", ""];
  const written: Record<string, string> = {};
  const io: Io = {
    readText: (path) => FILES[path] ?? "",
    readBytes: () => new Uint8Array(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => performance.now(),
    files: {
      list: () => null,
      sizeOf: () => 0,
      write(path, content) {
        written[path] = typeof content === "string" ? content : new TextDecoder().decode(content);
      },
      same: () => false,
      env: () => undefined,
      entry: null,
    },
  };
  const args = parseArgs(argv, { positionals: cmd.positionals, options: [...cmd.options, ...COMMON_OPTIONS] });
  const code = await Promise.resolve(cmd.run(args, io)).catch((error: Error) => `${error.name} ${error.message}`);
  return { out, err, written, code };
}

describe("--pass", { timeout: 300_000 }, () => {
  it("a right pass holds, and what was shown is written", async () => {
    const { out, code, written } = await command(
      checkCommand,
      "--pass",
      "jump.ts",
      "--program",
      "k.ori",
      "--count",
      "6",
      "--seed",
      "3",
      "--csv",
      "c.csv",
      "--report",
      "r.md",
      "--json",
    );
    expect(code).toBe(0);
    const { programs, failures, evidence, tests, pass } = JSON.parse(out) as CheckJson;
    expect({ programs, failures, pass }).toEqual({ programs: 7, failures: [], pass: "jump to next" });
    expect(tests?.map((t) => t.problem)).toEqual([null, null]);
    expect(evidence?.rewrites).toBeGreaterThan(0);
    expect(written["c.csv"]?.split("\n").slice(0, 3)).toEqual(["benchmark,run,result", "k.ori,baseline,20", "k.ori,jump to next,16"]);
    expect(written["r.md"]).toContain("| another meaning | 0 |");
  });

  it("a wrong one is told by a small program, and by the rewrite that is wrong", async () => {
    const { out, code } = await command(checkCommand, "--pass", "wrong.ts", "--count", "10", "--seed", "1", "--json");
    expect(code).toBe(1);
    const [first] = (JSON.parse(out) as CheckJson).failures;
    expect(["meaning", "verifier", "program"]).toContain(first?.law);
    // The first failing program is minimized.
    expect(first?.program.split("\n").length).toBeLessThan(passProgram(first!.seed).text.split("\n").length);
    expect(first?.rewrite?.n).toBeGreaterThan(0);
  });

  it("a pass that rewrote nothing was not put to the test, and what it was looking for is shown", async () => {
    const json = await command(checkCommand, "--pass", "shy.ts", "--program", "k.ori", "--count", "5", "--seed", "3", "--json");
    expect(json.code).toBe(1);
    const { standing, failures, evidence } = JSON.parse(json.out) as CheckJson;
    expect({ standing, failures }).toEqual({ standing: "untested", failures: [] });
    expect(evidence).toMatchObject({ standing: "untested", rewrites: 0, changed: 0 });
    expect(evidence?.looked).toMatchObject({ met: 0, why: [{ sentence: "no instruction is a NOP", programs: 6 }] });
    expect(evidence?.looked.refused).toContainEqual({ reason: "adds", n: 2, programs: 1 });
    expect(evidence?.looked.shapes).toContainEqual({ shape: "given", programs: 1 });
    const text = await command(checkCommand, "--pass", "shy.ts", "--program", "k.ori", "--count", "5", "--seed", "3", "--report", "r.md");
    expect(text.out).toContain("shy: 6 programs from seed 3: not tested, because it rewrote nothing in 6 programs\n");
    expect(text.out).toContain("adds (2 in 1 program)");
    expect(text.out).not.toContain("all held");
    expect(text.written["r.md"]).toContain("**Not tested: it rewrote nothing in 6 programs.**");
    // Rewrites that change nothing, and programs that never end, prove as little.
    const idle = await command(checkCommand, "--pass", "idle.ts", "--program", "k.ori", "--count", "0");
    expect([idle.code, idle.out]).toEqual([1, expect.stringContaining("requested 1 rewrite, but changed none of 1 program")]);
    const endless = await command(checkCommand, "--pass", "jump.ts", "--program", "endless.ori", "--count", "0");
    expect([endless.code, endless.out]).toEqual([
      1,
      expect.stringContaining("no input lets any of the programs that it changed end (1 of 1)"),
    ]);
    // Without a program, the tests of the file decide.
    expect((await command(checkCommand, "--pass", "jump.ts", "--count", "0")).code).toBe(0);
    expect((await command(checkCommand, "--pass", "shy.ts", "--count", "0")).code).toBe(1);
    expect((await command(checkCommand, "--pass", "shy-analysis.ts", "--count", "0", "--json")).out).toContain('"standing":"untested"');
  });

  it("an analysis is compared with ours", async () => {
    const right = await command(checkCommand, "--pass", "liveness.ts", "--count", "4", "--seed", "5");
    expect([right.code, right.out]).toEqual([
      0,
      "liveness: 4 programs from seed 5: agrees with our live-in everywhere\n  126 of 126 blocks agree; (right − spurious) / wanted: 1.000\n  4 of 4 tests in the file pass\n",
    ]);
    const wrong = await command(checkCommand, "--pass", "wrong-liveness.ts", "--count", "4", "--seed", "5", "--json");
    const found = JSON.parse(wrong.out) as CheckJson;
    expect(found.failures[0]).toMatchObject({ law: "agrees" });
    expect(found.tests?.filter((t) => t.problem !== null).map((t) => t.name)).toEqual(["a guard may leave the old value"]);
  });

  it("a file that does not compile is located", async () => {
    const { err, code } = await command(checkCommand, "--pass", "bad.ts", "--count", "1");
    expect(code).toMatch(/^InputError/);
    expect(err).toMatch(/^bad\.ts:2:\d+: error: /);
  });

  it("runs alone, or at a place of the pipeline", async () => {
    const alone = JSON.parse((await command(runCommand, "k.ori", "--pass", "lvn.ts", "--check", "4", "--json")).out) as RunJson;
    expect(alone.kernels[0]?.phases).toMatchObject([
      { run: 0, address: "own-local-value-numbering+1", id: "own-local-value-numbering", changed: true, rewrites: 1, check: { ok: true } },
    ]);
    expect(alone.kernels[0]?.text).toContain("MOV     R2, R1");
    const placed = JSON.parse((await command(runCommand, "k.ori", "--pass", "lvn.ts@before:14", "--until", "15", "--json")).out) as RunJson;
    const phases = placed.kernels[0]!.phases;
    const at = phases.findIndex((p) => p.id === "own-local-value-numbering");
    expect(phases[at + 1]).toMatchObject({ phase: 14 });
    expect(placed.kernels[0]?.text).toContain("MOV     R2, R1");
    expect(placed.kernels[0]?.interventions).toEqual([]);
  });

  it.each(["@after:3", "@after:6", "@after:branch-folding", "@after:cicc", "@before:14", "@after:r3"])("runs %s", async (place) => {
    const { out, err, code } = await command(runCommand, "k.ori", "--pass", `lvn.ts${place}`, "--json");
    expect([err, code]).toEqual(["", 0]);
    const { phases } = (JSON.parse(out) as RunJson).kernels[0]!;
    expect(phases.find((p) => p.id === "own-local-value-numbering")).toMatchObject({ ran: true, changed: true, rewrites: 1 });
  });

  it("spends fuel, and its rewrites are skipped, alone and at a place, in run and in trace", async () => {
    const own = async (...argv: string[]) => {
      const done = await command(runCommand, "k.ori", "--json", ...argv);
      const kernel = done.out === "" ? null : (JSON.parse(done.out) as RunJson).kernels[0]!;
      return { ...done, kernel, phase: kernel?.phases.find((p) => p.id === "own-local-value-numbering") };
    };
    for (const at of ["", "@before:14"]) {
      const none = await own("--pass", `lvn.ts${at}`, "--fuel", "0");
      expect(none.phase).toMatchObject({ ran: false, reason: "the fuel is spent", rewrites: 0 });
      const limited = await own("--pass", `lvn.ts${at}`, "--fuel", "own-local-value-numbering#0");
      expect(limited.phase).toMatchObject({ reason: "the fuel is spent", changed: false });
      for (const address of ["own-local-value-numbering", "own-local-value-numbering+1"]) {
        const skipped = await own("--pass", `lvn.ts${at}`, "--skip", `${address}#1`);
        expect(skipped.phase).toMatchObject({ asked: 1, refused: 1, rewrites: 0 });
        expect(skipped.kernel?.interventions).toEqual([{ text: `skip ${address}#1`, applied: true, reason: null }]);
        const steps = await command(traceCommand, "k.ori", "--pass", `lvn.ts${at}`, "--skip", `${address}#1`, "--json");
        expect((JSON.parse(steps.out) as TraceJson[]).some((s) => s.kind === "rewrite")).toBe(false);
      }
      const beyond = await own("--pass", `lvn.ts${at}`, "--skip", "own-local-value-numbering#7", "--strict");
      expect([beyond.code, beyond.kernel?.interventions[0]?.applied]).toEqual([1, false]);
    }
    expect((await own("--pass", "lvn.ts", "--fuel", "0")).kernel?.text).toBe(
      (await own("--phases", "gvn-cse", "--fuel", "0")).kernel?.text,
    );
    expect((await command(execCommand, "k.ori", "--pass", "jump.ts", "--rewrites", "0", "--threads", "1", "--json")).out).toContain(
      '"branches":1,',
    );
  });

  it.each([
    [["--pass", "lvn.ts@after:nothing"], /cannot be after nothing, so it is at the end: .*'nothing'/],
    [["--pass", "lvn.ts@after:OriPerformLiveDead"], /runs \d+ times; which one is meant\?/],
    [["--pass", "lvn.ts@after:r999"], /there is no run r999/],
    [["--pass", "lvn.ts@after:49", "--phases", "15"], /GvnCse is not one of the requested phases/],
    [["--pass", "lvn.ts", "--skip", "49#1"], /GvnCse is not one of the requested phases/],
    [["--pass", "lvn.ts", "--skip", "own-other#1"], /own-other/],
    [["--pass", "lvn.ts", "--drop", "own-local-value-numbering:x"], /own-local-value-numbering/],
  ])("refuses %s as wrong usage", async (argv, said) => {
    for (const one of [runCommand, execCommand, analyzeCommand, traceCommand]) {
      const { err, out, code } = await command(one, "k.ori", ...argv);
      expect([out, code]).toEqual(["", expect.stringMatching(/^UsageError/)]);
      expect(`${err}${code}`).toMatch(said);
    }
  });

  it("says where a pass that throws was, with its steps up to there", async () => {
    const { out, err, code } = await command(traceCommand, "k.ori", "--pass", "throws.ts", "--json");
    expect([code, err]).toEqual([1, "throws.ts:5: error: enough\n"]);
    expect((JSON.parse(out) as TraceJson[]).map((s) => s.sentence)).toContain("so far");
    expect((await command(runCommand, "k.ori", "--pass", "throws.ts")).code).toBe("InputError throws.ts:5: enough");
  });

  it("says that there is no clock and no randomness", async () => {
    for (const [file, said] of [
      ["clock.ts", "A pass has no clock: the same program must always give the same result."],
      ["dice.ts", "A pass has no randomness: the same program must always give the same result."],
    ] as const)
      expect((await command(runCommand, "k.ori", "--pass", file)).code).toBe(`InputError ${file}:2: ${said}`);
  });

  it("gives its steps, with the lines that ran", async () => {
    const { out } = await command(traceCommand, "k.ori", "--pass", "jump.ts", "--json");
    const steps = JSON.parse(out) as TraceJson[];
    expect(steps.map((s) => s.kind)).toEqual(["span", "visit", "rewrite", "inst-delete", "note"]);
    const line = FILES["jump.ts"]!.split("\n").findIndex((text) => text.includes("ctx.rewrite")) + 1;
    expect(steps[1]?.sentence).toBe("A ends with 'BRA B', and B comes after it");
    expect(steps[2]).toMatchObject({ line, sentence: "A falls through into B", focus: { blocks: ["A"] } });
    const lines = JSON.parse((await command(traceCommand, "k.ori", "--pass", "jump.ts", "--lines", "--json")).out) as TraceJson[];
    expect(lines.length).toBeGreaterThan(steps.length);
    expect(lines[1]?.sentence).toBe("for (const block of fn.blocks) {");
  });

  it("stands before what is executed and analyzed", async () => {
    const counted = async (...argv: string[]): Promise<number> =>
      (JSON.parse((await command(execCommand, "k.ori", "--threads", "1", "--json", ...argv)).out) as ExecJson).counters.warpInstructions;
    expect(await counted("--pass", "jump.ts")).toBeLessThan(await counted());
    const blocks = async (...argv: string[]): Promise<readonly string[]> =>
      (JSON.parse((await command(analyzeCommand, "k.ori", "--json", ...argv)).out) as AnalyzeJson).kernels[0]!.blocks.map((b) => b.label);
    const [first, ...rest] = await blocks();
    expect(await blocks("--pass", "split.ts")).toEqual([first, "HALF", ...rest]);
    // At its position, and printed after an earlier run.
    expect(await blocks("--pass", "split.ts@before:3", "--until", "5", "--after", "own-split+1")).toContain("HALF");
    expect((await command(analyzeCommand, "k.ori", "--pass", "split.ts@after:nothing")).code).toMatch(/^UsageError/);
  });

  it("works on Bril: executed, checked, and printed as Bril again", async () => {
    const lines = async (...argv: string[]) => (await command(execCommand, "sum.bril", "--arg", "n=5", "--lines", ...argv)).out;
    expect([await lines(), await lines("--pass", "dead.ts")]).toEqual(["10\n", "10\n"]);
    const { out } = await command(runCommand, "sum.bril", "--pass", "dead.ts", "--emit", "bril");
    expect((await command(runCommand, "sum.bril", "--phases", "ori-branch-opt", "--emit", "bril")).out).toContain("unused");
    expect(out).toContain("print s");
    expect(out).not.toContain("unused");
    expect((await command(runCommand, "sum.bril", "--pass", "dead.ts@after:15", "--until", "16", "--emit", "bril")).out).toContain(
      "print s",
    );
    const checked = await command(checkCommand, "--pass", "dead.ts", "--program", "sum.bril", "--count", "1", "--seed", "1", "--json");
    const { failures, evidence } = JSON.parse(checked.out) as CheckJson;
    expect(failures).toEqual([]);
    // Each function of the import is its own program.
    expect(evidence?.programs).toBeGreaterThan(1);
    expect(evidence?.rewrites).toBeGreaterThan(0);
  });
});
