import { describe, expect, it } from "vitest";
import { generateModule } from "../fuzz/generate/generate.ts";
import { inputShape, makeInput, toRunInputs } from "../fuzz/inputs.ts";
import type { Func, Module } from "../ir/types.ts";
import { freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { printModule } from "../text/printer.ts";
import { runKernel } from "./interpreter.ts";
import { placeBuffers } from "./memory.ts";
import { toExecReport } from "./report.ts";
import type { ExecReport } from "./request.ts";
import { parse, run } from "./testing/eval.ts";

/** Runs a function on eight lanes and reports. */
function report(text: string, inputs: Parameters<typeof run>[1] = {}): ExecReport {
  const { fn } = parse(text);
  return toExecReport(fn, run(text, { threads: 8, follow: true, ...inputs }));
}

const body = (lines: string, out: string, params = "a: R0, p: P0"): string => `.func f(${params}) -> ${out}\nBB0:\n${lines}\n    RET\n`;
const given = { args: [5, 1] };

/** By lane: whether R9 is a stand-in. */
const marked = (lines: string, inputs: Parameters<typeof run>[1] = given): string =>
  (report(body(lines, "R9"), inputs).standIns?.returns ?? []).map((r) => ("R9" in r ? "x" : ".")).join("") || "........";

describe("stand-ins", () => {
  it("are not reported where there are none", () => {
    expect(report(body("    IADD R9, R0, 1", "R9"), given)).not.toHaveProperty("standIns");
    expect(report(body("    IADD R9, R0, 1", "R9"), given).message).toBe("every thread ended");
  });

  it("name their source and its line, and count the results", () => {
    const { standIns, message } = report(body('    OPAQUE.pure {R1}, {R0}, "foo"\n    IADD R9, R1, 1', "R9"), given);
    expect(standIns?.sources).toEqual([{ kind: "function", what: "the opaque instruction 'foo'", func: "f", line: 3 }]);
    expect(standIns?.undecided).toBeNull();
    expect(message).toBe("every thread ended; 8 of 8 returned values depend on the opaque instruction 'foo' (line 3)");
  });

  it.each([
    ["a special register without a value", "    S2R R9, SR_SMEMSZ", "the special register SR_SMEMSZ"],
    ["a clock", "    CS2R R9, SR_CLOCKLO", "the special register SR_CLOCKLO"],
    ["a register that nothing has written", "    IADD R9, R4, 1", "R4, which nothing has written"],
    ["shared memory that nothing has written", "    LDS R9, [0x10]", "shared memory that nothing has written"],
    ["local memory that nothing has written", "    LDL R9, [0x10]", "local memory that nothing has written"],
    ["a word of a constant bank without a value", "    MOV R9, c[0x0][0x160]", "c[0x0][0x160], which has no value"],
    ["the same by a load", "    LDC R9, c[0x0][0x160]", "c[0x0][0x160], which has no value"],
    ["a texture", "    MOV R1, 0\n    TEX R9, R1, 0", null],
    ["a lane that takes no part in a shuffle", "    SHFL.IDX R9, R0, 20, 0x1f", "a shuffle from a lane that takes no part"],
  ])("%s is one", (_name, lines, what) => {
    const { standIns } = report(body(lines, "R9"), given);
    expect(standIns?.returns.every((r) => "R9" in r)).toBe(true);
    if (what !== null) expect(standIns?.sources.map((s) => s.what)).toEqual([what]);
  });

  it("a special register that the run is given is none, nor is the environment, which is 0", () => {
    const read = (name: string, specials?: ReadonlyMap<string, number>) =>
      report(body(`    S2R R9, ${name}`, "R9"), { ...given, ...(specials === undefined ? {} : { specials }) });
    const sized = read("SR_SMEMSZ", new Map([["SR_SMEMSZ", 7]]));
    expect(sized).not.toHaveProperty("standIns");
    expect(sized.returns[3]).toEqual({ R9: 7 });
    expect(read("SR_ENVREG3")).not.toHaveProperty("standIns");
    expect(read("SR_ENVREG3").returns[3]).toEqual({ R9: 0 });
  });

  it("a parameter that is not given is one, a given one is not", () => {
    expect(report(body("    MOV R9, R0", "R9")).standIns?.sources[0]?.what).toBe("the parameter a, which is not given");
    expect(marked("    MOV R9, R0")).toBe("........");
  });

  const FOO = '    S2R R2, SR_TID.X\n    ISETP.LT P1, R2, 3\n    OPAQUE.pure {R1}, {R0}, "foo"\n';
  it.each([
    ["lane by lane under a guard", "    MOV R9, 0\n    @P1 MOV R9, R1", "xxx....."],
    ["through a choice by a known predicate", "    SEL R9, R1, R0, P1", "xxx....."],
    ["through a choice by a stand-in", "    ISETP.EQ P2, R1, 3\n    SEL R9, R2, R0, P2", "xxxxxxxx"],
    ["into a register that a doubtful guard may write", "    ISETP.EQ P2, R1, 3\n    MOV R9, 0\n    @P2 MOV R9, 1", "xxxxxxxx"],
    ["through shared memory", "    SHL R3, R2, 2\n    MOV R4, 0\n    @P1 MOV R4, R1\n    STS [R3], R4\n    LDS R9, [R3]", "xxx....."],
    ["through predicates in registers", "    ISETP.EQ P2, R1, 3\n    PLOP3 P3, P2, P1, PT, 0x80\n    P2R R9, {P3}", "xxxxxxxx"],
    ["through a shuffle", "    MOV R4, 0\n    @P1 MOV R4, R1\n    SHFL.DOWN R9, R4, 1, 0x1f", "xx.....x"],
    ["from a constant bank through a reduction", "    REDUX.ADD R9, c[0x0][0x160]", "xxxxxxxx"],
    ["from a constant bank through a shuffle", "    SHFL.IDX R9, c[0x0][0x160], 0, 0x1f", "xxxxxxxx"],
    [
      "through a shuffle whose lane is in a constant bank",
      "    MOV R4, 0\n    @!P1 MOV R4, R1\n    SHFL.DOWN R9, R4, c[0x0][0x4], 0x1f",
      "xxxxxxxx",
    ],
    ["to all lanes of a vote", "    ISETP.EQ P2, R1, 3\n    ISETP.EQ.AND P2, R1, 3, P1\n    VOTE.BALLOT R9, P2", "xxxxxxxx"],
    ["not past an overwrite", "    MOV R1, 3\n    MOV R9, R1", "........"],
    [
      "through an atomic to those that come later",
      "    MOV R4, 0x40\n    MOV R5, 0\n    STS [R4], R5\n    ISETP.EQ P3, R2, 2\n    MOV R6, 1\n    @P3 MOV R6, R1\n    ATOMS.ADD R9, [R4], R6",
      "...xxxxx",
    ],
  ])("pass %s", (_name, lines, want) => {
    expect(marked(FOO + lines)).toBe(want);
  });

  it("pass through calls, there and back", () => {
    const text = `.func f(a: R0) -> R9, R8
BB0:
    OPAQUE.pure {R1}, {R0}, "foo"
    CALL g, {R9, R8}, {R1, R0}
    RET
.func g(x: R0, y: R1) -> R2, R3
BB0:
    IADD R2, R0, 1
    IADD R3, R1, 1
    RET
`;
    expect(report(text, { args: [1], threads: 1 }).standIns?.returns).toEqual([{ R9: 0 }]);
  });

  it("pass through PHIs by the edge that is taken", () => {
    const text = `.func f(a: R0, p: P0) -> R9
BB0:
    OPAQUE.pure {R1}, {R0}, "foo"
    S2R R2, SR_TID.X
    ISETP.LT P1, R2, 3
    @P1 BRA BB2
BB1:
    BRA BB3
BB2:
    BRA BB3
BB3:
    PHI R9, [BB1: R0], [BB2: R1]
    RET
`;
    expect(report(text, given).standIns?.returns.map((r) => "R9" in r)).toEqual([true, true, true, false, false, false, false, false]);
  });

  it.each([
    [
      "a branch",
      "    ISETP.EQ P2, R1, 3\n    @P2 BRA BB1\n    MOV R9, 0\n    RET\nBB1:\n    MOV R9, 1",
      /^not decided: the branch \(line 5\) depends on the opaque instruction 'foo' \(line 3\), so all values are stand-ins$/,
    ],
    ["a guarded exit", "    ISETP.EQ P2, R1, 3\n    MOV R9, 0\n    @P2 EXIT", /^not decided: whether EXIT runs/],
    ["a guarded store", "    ISETP.EQ P2, R1, 3\n    MOV R9, 0\n    @P2 STS [R9], R0", /^not decided: whether STS runs/],
    ["an address of a store", "    LOP.AND R1, R1, 0xfc\n    MOV R9, 0\n    STS [R1], R0", /^not decided: the address of STS/],
    ["an address that traps", "    MOV R9, 0\n    LDG R3, [R1]", /^not decided: the trap/],
  ])("decide the run where they decide %s", (_name, lines, want) => {
    const { standIns } = report(body(`    OPAQUE.pure {R1}, {R0}, "foo"\n${lines}`, "R9"), given);
    expect(standIns?.message).toMatch(want);
    expect(standIns?.undecided).toBe(0);
  });

  it("are all of memory after an opaque store, until it is written again", () => {
    const buffers = placeBuffers([{ name: "o", size: 16 }]);
    const text = `.func f(o: R0) -> R9
BB0:
    STG [R0], R0
    OPAQUE.store {}, {R0}, "st.bulk"
    STG [R0+0x4], R0
    LDG R9, [R0+0x8]
    RET
`;
    const { standIns, message } = report(text, { args: [buffers[0]!.base], buffers, threads: 1 });
    expect(standIns?.memory).toEqual({
      o: [
        { from: 0, to: 4, source: 0 },
        { from: 8, to: 16, source: 0 },
      ],
    });
    expect(standIns?.stores).toEqual([0]);
    expect(message).toMatch(/what it may have stored is not shown$/);
  });

  it("an opaque instruction that only orders stores nothing", () => {
    const buffers = placeBuffers([{ name: "o", size: 16 }]);
    const text = body('    OPAQUE.barrier {}, {}, "fence.proxy.async"\n    MOV R9, 1', "R9");
    expect(report(text, { ...given, buffers })).not.toHaveProperty("standIns");
  });
});

/** The program with other opaque instructions and so with other stand-ins. */
const otherwise = (module: Module): { module: Module; fn: Func } => {
  const text = printModule(module).replace(/^(\s*(?:@\S+ )?OPAQUE\S* .*)"(.*)"/gm, '$1"$2 otherwise"');
  const read = parseModule(text).module;
  return { module: read, fn: read.funcs[0]! };
};

it("what is not marked does not depend on what opaque instructions give", () => {
  const first = freshSeed();
  let [opaque, compared, known] = [0, 0, 0];
  for (let seed = first; seed < first + 60; seed++) {
    const module = generateModule({ seed, profile: "any", size: 6 });
    const fn = module.funcs[0]!;
    const other = otherwise(module);
    if (printModule(module) === printModule(other.module)) continue;
    opaque++;
    const shape = inputShape(fn, 32);
    for (let i = 0; i < 3; i++) {
      const spec = makeInput(shape, seed, i, 32);
      const a = runKernel(module, fn, { ...toRunInputs(spec, 50_000), follow: true });
      const b = runKernel(other.module, other.fn, { ...toRunInputs(spec, 50_000), follow: true });
      if (a.standIns?.undecided != null || a.status !== "ok") continue;
      compared++;
      expect(b.status, `seed ${seed}, input ${i}`).toBe("ok");
      a.returns.forEach(({ lo, hi }, r) => {
        lo.forEach((value, t) => {
          if (a.returned[t] === 0 || a.standIns!.returns[r]![t] !== 0) return;
          known++;
          expect([value, hi?.[t]], `seed ${seed}, input ${i}, return ${r} of thread ${t}`).toEqual([
            b.returns[r]!.lo[t],
            b.returns[r]!.hi?.[t],
          ]);
        });
      });
      a.buffers.forEach(({ bytes, name }, n) => {
        const marks = a.standIns!.buffers[n];
        const after = b.buffers[n]!.bytes;
        for (let at = 0; at < bytes.length; at++)
          if (bytes[at] !== after[at] && !marks?.[at])
            expect.fail(`seed ${seed}, input ${i}: byte ${at} of ${name} is not marked and differs`);
      });
    }
  }
  expect(opaque, `seed ${first}`).toBeGreaterThan(5);
  expect(compared + known, `seed ${first}`).toBeGreaterThan(20);
});
