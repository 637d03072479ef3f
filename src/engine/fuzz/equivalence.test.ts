import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "../interp/testing/eval.ts";
import { Editor } from "../ir/edit.ts";
import type { Func, Inst } from "../ir/types.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { checkEquivalent, compareVersions } from "./equivalence.ts";
import { generateModule } from "./generate/generate.ts";
import { PROFILES } from "./generate/options.ts";
import { inferPointers } from "./pointers.ts";
import { shrinkInput, shrinkProgram } from "./shrink.ts";

/** Two texts of one function compared on 24 inputs. */
function compare(before: string, after: string) {
  const a = parse(before);
  const b = parse(after);
  return checkEquivalent(a.fn, b.fn, a.module, { inputs: 24, seed: 7 });
}

const kernel = (body: string): string => `.kernel k(a: RD0, n: R0)\nBB0:\n${body}\n    EXIT\n`;
const func = (body: string): string => `.func f(n: R0, m: R1) -> R9\nBB0:\n${body}\n    RET\n`;

describe("checkEquivalent", () => {
  it("accepts what means the same, whatever it costs", () => {
    const before = func("    IADD R2, R0, R1\n    IADD R9, R2, R2");
    const after = func("    MOV R3, R1\n    IADD R2, R3, R0\n    SHL R9, R2, 1\n    NOP");
    expect(compare(before, after)).toMatchObject({ ok: true, inputs: 24, effective: 24 });
  });

  it.each([
    ["another result", func("    IADD R9, R0, R1"), func("    ISUB R9, R0, R1")],
    ["one value of 2^32", func("    ISETP.LT P0, R0, R1\n@P0 MOV R9, 1"), func("    ISETP.LE P0, R0, R1\n@P0 MOV R9, 1")],
    ["a constant of the program", func("    ISETP.EQ P0, R0, 123456\n@P0 MOV R9, 1"), func("    MOV R9, 0")],
    ["its neighbour", func("    ISETP.GT.U32 P0, R0, 99999\n@P0 MOV R9, 1"), func("    ISETP.GT.U32 P0, R0, 99998\n@P0 MOV R9, 1")],
    ["a signed overflow", func("    IADD R2, R0, 1\n    ISETP.GT P0, R2, R0\n@P0 MOV R9, 1"), func("    MOV R9, 1")],
    ["the wrong lane", func("    S2R R2, SR_LANEID\n    MOV R9, R2"), func("    S2R R2, SR_LANEID\n    IMNMX R9, R2, 30, PT")],
    ["a lost store", kernel("    STG [RD0+8], R0"), kernel("    NOP")],
    ["a store elsewhere", kernel("    STG [RD0+8], R0"), kernel("    STG [RD0+12], R0")],
    [
      "a stale load",
      kernel("    STG [RD0], R0\n    LDG R1, [RD0]\n    STG [RD0+4], R1"),
      kernel("    LDG R1, [RD0]\n    STG [RD0], R0\n    STG [RD0+4], R1"),
    ],
    [
      "a load moved over a store through another pointer",
      ".kernel k(a: RD0, b: RD1, n: R0)\nBB0:\n    STG [RD0], R0\n    LDG R1, [RD1]\n    STG [RD1+8], R1\n    EXIT\n",
      ".kernel k(a: RD0, b: RD1, n: R0)\nBB0:\n    LDG R1, [RD1]\n    STG [RD0], R0\n    STG [RD1+8], R1\n    EXIT\n",
    ],
    [
      "exchanged effects",
      kernel('    OPAQUE.store {}, {R0}, "x"\n    OPAQUE.store {}, {R0}, "y"'),
      kernel('    OPAQUE.store {}, {R0}, "y"\n    OPAQUE.store {}, {R0}, "x"'),
    ],
    [
      "an unknown load moved over a store",
      func('    STS [0], R0\n    OPAQUE.load {R9}, {R0}, "x"'),
      func('    OPAQUE.load {R9}, {R0}, "x"\n    STS [0], R0'),
    ],
    [
      "a thread that exits instead of returning",
      func("    MOV R9, 0"),
      ".func f(n: R0, m: R1) -> R9\nBB0:\n    ISETP.EQ P0, R0, 5\n@P0 EXIT\nBB1:\n    RET\n",
    ],
    ["a trap", func("    MOV R9, 0"), func("    ISETP.EQ P0, R0, 0\n@P0 LDG R2, [RZ]")],
    [
      "a loop without end",
      func("    MOV R9, 0"),
      ".func f(n: R0, m: R1) -> R9\nBB0:\n    NOP\nBB1:\n    ISETP.NE P0, R0, 0\n@P0 BRA BB1\nBB2:\n    RET\n",
    ],
    [
      "a deadlock",
      func("    MOV R9, 0"),
      ".func f(n: R0, m: R1) -> R9\nBB0:\n    S2R R2, SR_TID.X\n    ISETP.EQ P0, R2, 1\n    BSSY B0, BB2\n@P0 BRA BB2\nBB1:\n    BAR.SYNC 0\nBB2:\n    BSYNC B0\n    RET\n",
    ],
  ])("finds %s", (_, before, after) => {
    const result = compare(before, after);
    expect(result.ok).toBe(false);
    expect(result.counterexample!.text).toContain(result.counterexample!.difference);
  });

  it("does not compare what follows a trap or lost fuel of the first version", () => {
    const result = compare(func("    LDG R2, [RZ]\n    MOV R9, 1"), func("    MOV R9, 2"));
    expect(result).toMatchObject({ ok: true, effective: 0, inputs: 48 });
  });

  it("does not blame a phase for a race that the first version has", () => {
    const race = (first: string, second: string): string =>
      `.kernel k(a: RD0)\nBB0:\n    S2R R1, SR_LANEID\n    LOP.AND R2, R1, 1\n    ISETP.EQ P0, R2, 0\n@P0 BRA BB2\nBB1:\n    STG [RD0], R1\n${first}BB2:\n    STG [RD0${second}], R1\n    EXIT\n`;
    const [merged, apart] = [race("", ""), race("    EXIT\n", "")];
    expect(compare(apart, merged)).toMatchObject({ ok: true });
    // With one thread there is no race, and the difference counts.
    expect(compare(apart, race("    EXIT\n", "+4")).counterexample?.input.threads).toBe(1);
  });

  it("gives the second version the time it needs when its lanes run apart", () => {
    const loop = (body: string): string => `.func f(n: R0, m: R1) -> R9\nBB0:\n    LOP.AND R2, R0, 63\n${body}    RET\n`;
    const tight = loop("BB1:\n    IADD R9, R9, R2\n    IADD R2, R2, -1\n    ISETP.GT P0, R2, 0\n@P0 BRA BB1\nBB2:\n");
    const roundabout = loop(
      "BB1:\n    IADD R9, R9, R2\n    NOP\n    BRA BB3\nBB3:\n    NOP\n    NOP\n    IADD R2, R2, -1\n    ISETP.GT P0, R2, 0\n@P0 BRA BB1\nBB2:\n",
    );
    expect(compare(tight, roundabout).ok).toBe(true);
  });

  it.each(["branch-folding", "branch-opt", "do-switch-opt-first"])(
    "sees lanes of a table part from those that fall behind it (%s)",
    (family) => {
      const file = fileURLToPath(new URL(`../passes/${family}/regressions/guarded-table-empty.ori`, import.meta.url));
      const before = parse(readFileSync(file, "utf8"));
      // The table names the empty block's target, while lanes that fall through still pass the empty block.
      const wrong = parse(readFileSync(file, "utf8").replace(/BB[67](?=[ ,][^\n]*\})/g, "BB5"));
      expect([...wrong.fn.tables.values()].flatMap(({ entries }) => entries.map((id) => wrong.fn.blocks[id]?.label))).not.toContain("BB6");
      for (let seed = 1; seed <= 20; seed++)
        expect([seed, checkEquivalent(before.fn, wrong.fn, before.module, { inputs: 8, seed }).ok]).toEqual([seed, false]);
    },
  );

  it("looks for the way that few values take", () => {
    // Lanes diverge at P0, and those that fall through branch to X only while n is 3 to 8: if the two branches are joined, all lanes vote together.
    const program = (branches: string): string =>
      `.kernel k(out: RD1, n: R8)
BB0:
    S2R R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT P0, R3, 4
    ISETP.LT P1, R8, 3
    ISETP.LT P2, R8, 9
    MOV R4, 0
    BSSY B0, J
${branches}@P2 BRA X
C:
    MOV R4, 5
    BRA J
X:
    VOTE.BALLOT R4, PT
J:
    BSYNC B0
    STG [RD2], R4
    EXIT
`;
    const apart = parse(program("@P1 BRA X\nA:\n@P0 BRA X\nB:\n"));
    const together = parse(program("    PLOP3 P3, P1, P0, PT, 0xfc\n    PLOP3 P2, P3, P2, PT, 0xfc\n"));
    for (let seed = 1; seed <= 20; seed++) {
      const { ok, effective } = checkEquivalent(apart.fn, together.fn, apart.module, { inputs: 8, seed });
      expect({ seed, ok }).toEqual({ seed, ok: false });
      expect(effective).toBeLessThanOrEqual(8);
    }
  });

  it("says for a person that nothing is decided where the first version rests on a made-up value", () => {
    const of = (lines: string) => parse(`.func f(a: R0) -> R1\nBB0:\n${lines}\n    RET\n`);
    const judge = (lines: string, known: boolean, after = lines) => {
      const { module, fn } = of(lines);
      const { ok, effective, undecided, doubt } = checkEquivalent(fn, of(after).fn, module, { inputs: 4, seed: 1, known });
      return [ok, effective > 0, undecided > 0, doubt];
    };
    const size = "    S2R R1, SR_SMEMSZ";
    expect(judge(size, true)).toEqual([true, false, true, "results depend on the special register SR_SMEMSZ"]);
    expect(judge(size, true, "    MOV R1, 1")).toEqual([true, false, true, "results depend on the special register SR_SMEMSZ"]);
    const unread = "    ISETP.EQ P1, R5, 3\n    MOV R1, 1\n@P1 BRA BB1\n    MOV R1, 2\nBB1:";
    expect(judge(unread, true)).toEqual([true, false, true, "the branch depends on R5, which nothing has written"]);
    // A result that depends on no made-up value still decides.
    const two = (lines: string) => parse(`.func f(a: R0) -> R1, R2\nBB0:\n${lines}\n    RET\n`);
    const half = two("    IADD R1, R0, 1");
    const compare = (lines: string) => checkEquivalent(half.fn, two(lines).fn, half.module, { inputs: 4, seed: 1, known: true });
    expect(compare("    IADD R1, R0, 2")).toMatchObject({
      ok: false,
      counterexample: { found: { kind: "return", where: "R1 of thread 0" } },
    });
    expect(compare("    IADD R1, R0, 1\n    MOV R2, 7")).toMatchObject({ ok: true, effective: 0 });
    // Laws hold for any value and any function; the only assumption about an opaque instruction is that it is a function.
    expect(judge(size, false, "    MOV R1, 1")).toEqual([false, true, false, null]);
    const opaque = '    OPAQUE.pure {R1}, {R0}, "foo"';
    expect(judge(opaque, true)).toEqual([true, true, false, null]);
    expect(judge(opaque, true, `${opaque}\n    IADD R1, R1, 1`)).toEqual([false, true, false, null]);
  });

  it("finds the same counterexample for the same seed", () => {
    const [a, b] = [parse(func("    IADD R9, R0, R1")), parse(func("    IADD R9, R0, R0"))];
    const once = checkEquivalent(a.fn, b.fn, a.module, { inputs: 24, seed: 3 });
    expect(checkEquivalent(a.fn, b.fn, a.module, { inputs: 24, seed: 3 })).toEqual(once);
  });
});

describe("inferPointers", () => {
  const pointers = (text: string) => {
    const { fn } = parse(text);
    const found = inferPointers(fn);
    return { params: [...found.params].map((i) => fn.params[i]!.name), words: [...found.bankWords.keys()] };
  };

  it("follows addresses through arithmetic, copies and PHIs, not through scaled indexes", () => {
    const text = `.kernel k(a: RD0, b: RD1, x: RD2, n: R0)
BB0:
    IMAD.WIDE RD3, R0, 4, RD0
    ISETP.LT P0, R0, 3
@P0 BRA BB2
BB1:
    IADD.64 RD4, RD1, 16
BB2:
    PHI RD5, [BB0: RD3], [BB1: RD4]
    MOV RD6, RD5
    LDG R1, [RD6+4]
    STG.64 [RD5], RD2
    EXIT
`;
    expect(pointers(text).params).toEqual(["a", "b"]);
  });

  it("knows 32-bit addresses, and addresses in constant banks", () => {
    expect(pointers(".kernel k(a: R0, n: R1)\nBB0:\n    SHL R2, R1, 2\n    IADD R3, R0, R2\n    LDG R4, [R3]\n    EXIT\n").params).toEqual([
      "a",
    ]);
    const bank = pointers(
      ".kernel k()\nBB0:\n    S2R R1, SR_TID.X\n    IMAD.WIDE RD1, R1, 4, c[0x0][0x168]\n    LDG R4, [RD1]\n    EXIT\n",
    );
    expect(bank).toEqual({ params: [], words: ["0/360"] });
  });
});

describe("makeInput", () => {
  it("makes buffers that hold the program's largest offset and stride", () => {
    const { module, fn } = parse(
      ".kernel k(a: RD0)\nBB0:\n    S2R R1, SR_TID.X\n    IMAD.WIDE RD1, R1, 256, RD0\n    STG [RD1+15984], R1\n    EXIT\n",
    );
    expect(checkEquivalent(fn, fn, module, { inputs: 16, seed: 1 })).toMatchObject({ ok: true, effective: 16 });
  });
});

/** A deliberately wrong transformation: replaces signed `<` by `<=` in comparisons with a constant. */
function weaken(fn: Func): Func {
  const edit = new Editor(fn, NO_RECORDER);
  for (const id of fn.layout) {
    edit.block(id).insts.forEach((inst: Inst, at) => {
      if (inst.op === "ISETP" && inst.mods[0] === "LT" && inst.ops[2]?.kind === "imm") {
        edit.replace(id, at, { ...inst, mods: ["LE", ...inst.mods.slice(1)] });
      }
    });
  }
  return edit.func;
}

describe("shrinking", () => {
  it("reduces a program that a wrong transformation breaks to its heart, and the input too", () => {
    let found = 0;
    for (let seed = 1; found < 3 && seed < 200; seed++) {
      const module = generateModule({ seed, profile: PROFILES[seed % PROFILES.length]! });
      const fn = module.funcs[0]!;
      const { counterexample } = checkEquivalent(fn, weaken(fn), module, { inputs: 12, seed });
      if (counterexample === null) continue;
      found++;
      const fails = (candidate: Func): boolean =>
        compareVersions(candidate, weaken(candidate), module, counterexample.input, 100_000) !== null;
      const small = shrinkProgram(fn, module, fails);
      expect(fails(small.fn)).toBe(true);
      const left = small.fn.layout.flatMap((id) => small.fn.blocks[id]!.insts);
      expect(left.some((inst) => inst.op === "ISETP" && inst.mods[0] === "LT")).toBe(true);
      expect(left.length, `seed ${seed}`).toBeLessThan(12);
      const stillFails = (input: typeof counterexample.input): boolean =>
        compareVersions(small.fn, weaken(small.fn), module, input, 100_000) !== null;
      const input = shrinkInput(counterexample.input, stillFails);
      expect(stillFails(input)).toBe(true);
      expect(input.threads).toBeLessThanOrEqual(counterexample.input.threads);
    }
    expect(found).toBe(3);
  });

  it("keeps a program that cannot be made smaller, and stops at its limit", () => {
    const { module, fn } = parse(".func f(n: R0) -> R9\nBB0:\n    RET\n");
    expect(shrinkProgram(fn, module, () => true).fn.layout.length).toBe(1);
    const big = generateModule({ seed: 5, profile: "any" });
    let calls = 0;
    const result = shrinkProgram(
      big.funcs[0]!,
      big,
      () => {
        calls++;
        return false;
      },
      40,
    );
    expect(result.attempts).toBe(40);
    expect(calls).toBeLessThanOrEqual(40);
    expect(result.fn).toBe(big.funcs[0]);
  });
});
