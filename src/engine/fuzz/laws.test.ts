import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { POLICIES } from "../config/policy.ts";
import { DEFAULT_TARGET_ID, targetOf } from "../config/targets.ts";
import { parse } from "../interp/testing/eval.ts";
import { Editor } from "../ir/edit.ts";
import { outOfSsa } from "../ir/out-of-ssa.ts";
import type { Pass } from "../passes/pass.ts";
import { PASSES } from "../passes/registry.ts";
import { readDirectives } from "../passes/testing/fixture.ts";
import { planPipeline } from "../pipeline/plan.ts";
import { runPipeline } from "../pipeline/run.ts";
import { reasonsOf } from "../remark/rules.ts";
import { draws, freshSeed, seedsFrom } from "../testing/seed.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { runCase } from "./campaign.ts";
import { generateModule } from "./generate/generate.ts";
import { ALL_PROFILES } from "./generate/options.ts";
import { checkLaws, type Law, SharedChecks } from "./laws.ts";

const FIRST = freshSeed();
/** Different programs on every commit; `npm run fuzz` runs any number of them. */
const PROGRAMS_EACH = draws(1);

describe(`laws of passes on random programs, seeds from ${FIRST}`, () => {
  it.each(ALL_PROFILES.filter((p) => p !== "large").map((p, i) => [p, FIRST + 1000 * i] as const))(
    "profile %s, from seed %i",
    (profile, first) => {
      for (let seed = first; seed < first + PROGRAMS_EACH; seed++) {
        const { failures } = runCase({
          seed,
          profiles: [profile],
          ids: null,
          passes: PASSES,
          share: 0.25,
          inputs: 8,
          subsets: 2,
          shares: { repeat: 1, text: 1, refuse: 1, trace: 0.5 },
          shrink: () => 400,
        });
        const shown = failures.map((f) => `${f.violation.subject.id} breaks '${f.violation.law}':\n${f.text}`);
        expect(shown, `npm run fuzz -- --count 1 --seed ${seed} --profile ${profile} --inputs 8`).toEqual([]);
      }
    },
  );
});

const PASS_FOLDER = fileURLToPath(new URL("../passes", import.meta.url));

/** Programs that once broke a law, stored next to the pass. */
const REGRESSIONS = readdirSync(PASS_FOLDER, { withFileTypes: true })
  .filter((folder) => folder.isDirectory())
  .flatMap((folder) => {
    const path = join(PASS_FOLDER, folder.name, "regressions");
    const files = readdirSync(join(PASS_FOLDER, folder.name)).includes("regressions") ? readdirSync(path) : [];
    return files.filter((name) => name.endsWith(".ori")).map((name) => [`${folder.name}/${name}`, join(path, name)] as const);
  });

describe("regressions", () => {
  it("are read from the passes' folders", () => {
    expect(readdirSync(PASS_FOLDER)).toContain("registry.ts");
  });

  for (const [name, path] of REGRESSIONS) {
    it(`${name} keeps all laws`, () => {
      const text = readFileSync(path, "utf8");
      const directives = readDirectives(text);
      if (typeof directives === "string") throw new Error(`${name}: ${directives}`);
      const { module, fn } = parse(text);
      const { plan, problems } = planPipeline({ ...directives.options, phases: [directives.phase] }, module.target);
      expect(problems).toEqual([]);
      const prepared =
        directives.before.length === 0
          ? fn
          : runPipeline(fn, module, planPipeline({ ...directives.options, phases: directives.before }, module.target).plan).result;
      for (const { id } of plan.runs) {
        const pass = PASSES.find((p) => p.ids.includes(id));
        if (pass === undefined) throw new Error(`${name}: ${id} is not registered`);
        const env = { target: plan.target, level: plan.level, policy: plan.policy, knobs: plan.knobs };
        const { violation } = checkLaws(prepared, module, { pass, id, env }, { inputs: 32, seed: 1, trace: true });
        expect(violation === null ? null : `${violation.law}: ${violation.message}`).toBeNull();
      }
    });
  }
});

describe("branch folding on the fixtures of every phase", () => {
  const files = readdirSync(PASS_FOLDER, { withFileTypes: true })
    .filter((folder) => folder.isDirectory() && readdirSync(join(PASS_FOLDER, folder.name)).includes("fixtures"))
    .flatMap((folder) =>
      readdirSync(join(PASS_FOLDER, folder.name, "fixtures"))
        .filter((name) => name.endsWith(".ori"))
        .map((name) => join(PASS_FOLDER, folder.name, "fixtures", name)),
    )
    // A third of them, a different one on every commit.
    .filter((_, i) => i % 3 === FIRST % 3);
  const pass = PASSES.find((p) => p.ids.includes("branch-folding"));

  it.each(POLICIES)("keeps all laws, PHIs taken out first (policy %s)", (policy) => {
    if (pass === undefined) throw new Error("branch-folding is not registered");
    let changed = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      const directives = readDirectives(text);
      if (typeof directives === "string") throw new Error(`${file}: ${directives}`);
      const { module, fn } = parse(text);
      const { plan } = planPipeline({ ...directives.options, policy, knobs: [], phases: ["branch-folding"] }, module.target);
      const subject = { pass, id: "branch-folding", env: { target: plan.target, level: plan.level, policy, knobs: plan.knobs } };
      const options = { inputs: directives.inputs === 0 ? 0 : 4, threads: directives.threads, seed: 1, trace: false };
      const report = checkLaws(outOfSsa(fn).fn, module, subject, options);
      expect([file, report.violation?.law ?? null, report.violation?.message ?? null]).toEqual([file, null, null]);
      if (report.changed) changed++;
    }
    expect(changed).toBeGreaterThan(15);
  });
});

describe("what the passes of one program share", () => {
  const reasons = PASSES.flatMap((pass) => reasonsOf(pass.rules ?? {}).filter((reason) => reason.droppable !== null));
  const interventions = { skips: new Set<number>(), drops: new Set(reasons.map((reason) => reason.name)) };
  const env = { target: targetOf(DEFAULT_TARGET_ID), level: 3, policy: "notes", knobs: {}, interventions } as const;

  it(`changes no verdict, right or wrong, seeds from ${FIRST}`, () => {
    const laws = { inputs: 4, seed: 1, trace: false, repeat: false, refuse: false } as const;
    let wrong = 0;
    for (const seed of seedsFrom(FIRST, draws(4), () => wrong > 0)) {
      const module = generateModule({ seed, profile: seed % 2 === 0 ? "lanes" : "copies", size: 2 });
      const fn = module.funcs[0]!;
      const shared = new SharedChecks(fn, module, laws);
      for (const pass of PASSES) {
        for (const id of pass.ids) {
          const together = checkLaws(fn, module, { pass, id, env }, laws, shared);
          const alone = checkLaws(fn, module, { pass, id, env }, laws);
          expect([seed, id, together.violation]).toEqual([seed, id, alone.violation]);
          if (alone.violation !== null) wrong++;
        }
      }
    }
    expect(wrong).toBeGreaterThan(0);
  });
});

describe("the laws themselves", () => {
  const { module, fn } = parse(
    ".func f(n: R0) -> R9\nBB0:\n    ISETP.LT P0, R0, 9\n    MOV R9, 1\n@P0 BRA BB2\nBB1:\n    MOV R9, 2\nBB2:\n    RET\n",
  );
  const { plan } = planPipeline(
    { target: null, level: 3, policy: "notes", knobs: [], noPhases: [], namedPhases: [], phases: [], until: null },
    null,
  );
  const env = { target: plan.target, level: plan.level, policy: plan.policy, knobs: plan.knobs };

  /** A pass with one fault. */
  function faulty(run: Pass["run"], promises: Partial<Pass> = {}): Law | null {
    const pass: Pass = { family: "faulty", ids: ["ori-branch-opt"], summary: "Breaks a law.", pseudocode: [""], run, ...promises };
    return checkLaws(fn, module, { pass, id: "ori-branch-opt", env }, { inputs: 8, seed: 1, trace: true }).violation?.law ?? null;
  }
  const idle = { matches: 0, rewrites: 0, why: "nothing to do" };
  const entry = fn.layout[0]!;
  const move = fn.blocks[entry]!.insts[1]!;
  let calls = 0;

  it.each<[Law | "none", Pass["run"]]>([
    ["none", () => idle],
    [
      "none",
      ({ edit }) => {
        edit.insert(entry, 0, edit.make("NOP", []));
        return { ...idle, why: null, rewrites: 1 };
      },
    ],
    [
      "error",
      () => {
        throw new Error("boom");
      },
    ],
    ["report", () => ({ ...idle, why: null })],
    [
      "verify",
      ({ edit }) => {
        edit.remove(fn.layout.at(-1)!, 0);
        return { ...idle, why: null };
      },
    ],
    [
      "determinism",
      ({ edit }) => {
        edit.insert(entry, 0, edit.make("MOV", [{ ...move.ops[0]! }, { kind: "imm", value: calls++ }]));
        return { ...idle, why: null };
      },
    ],
    [
      "tracing",
      ({ edit, rec }) => {
        if (rec.on) edit.insert(entry, 0, edit.make("NOP", []));
        return idle;
      },
    ],
    [
      "meaning",
      ({ edit }) => {
        edit.replace(entry, 1, { ...move, ops: [move.ops[0]!, { kind: "imm", value: 3 }] });
        return { ...idle, why: null };
      },
    ],
    [
      "input",
      ({ edit }) => {
        (fn as { flags: number }).flags ^= 1;
        new Editor(edit.func, NO_RECORDER).setFuncFlags(0);
        return idle;
      },
    ],
  ])("see a pass that breaks '%s'", (law, run) => {
    expect(faulty(run)).toBe(law === "none" ? null : law);
  });

  it("see a pass that promises to settle and goes on without saying why", () => {
    const addsOne =
      (further: string | null): Pass["run"] =>
      ({ edit }) => {
        edit.insert(entry, 0, edit.make("NOP", []));
        return { ...idle, why: null, rewrites: 1, further };
      };
    expect(faulty(addsOne(null))).toBe(null);
    expect(faulty(addsOne(null), { settles: true })).toBe("settled");
    expect(faulty(addsOne("it adds one at a time"), { settles: true })).toBe(null);
  });

  it("hold a pass to its promise of a length only when it gives one", () => {
    const grow: Pass["run"] = ({ edit }) => {
      edit.insert(entry, 0, edit.make("NOP", []));
      return { ...idle, why: null, rewrites: 1 };
    };
    expect(faulty(grow)).toBeNull();
    expect(faulty(grow, { neverLonger: true })).toBe("length");
    expect(faulty(() => idle, { neverLonger: true })).toBeNull();
  });
});
