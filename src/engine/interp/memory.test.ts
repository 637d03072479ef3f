import { describe, expect, it } from "vitest";
import { BUFFER_BASE, placeBuffers } from "./memory.ts";
import type { RunInputs } from "./outcome.ts";
import { run } from "./testing/eval.ts";

/** Runs a kernel `k(a: RD0, n: R0)` with one buffer of 64 words that count up from 0x03020100. */
function withBuffer(body: string, inputs: Partial<RunInputs> = {}, more = "") {
  const buffers = placeBuffers([{ name: "a", size: 256 }]);
  for (let i = 0; i < 256; i++) buffers[0]!.bytes[i] = i;
  const outcome = run(`.kernel k(a: RD0, n: R0)\nBB0:\n${body}\n    EXIT\n${more}`, {
    threads: 1,
    args: [[buffers[0]!.base, 0], 0],
    buffers,
    ...inputs,
  });
  return { outcome, view: buffers[0]!.view };
}

/** The word at 128 after a body that stores its result R9 there. */
function resultOf(body: string, inputs: Partial<RunInputs> = {}, more = ""): number {
  const { outcome, view } = withBuffer(`${body}\n    STG [RD0+128], R9`, inputs, more);
  expect(outcome.message).toBe("");
  return view.getUint32(128, true);
}

describe("loads and stores", () => {
  it.each([
    ["", 0x07060504],
    [".U8", 0x04],
    [".U16", 0x0504],
  ])("LDG%s reads little endian and extends by zero", (size, want) => {
    expect(resultOf(`    LDG${size} R9, [RD0+4]`)).toBe(want);
  });

  it("reads with LDG.CONSTANT what was there at launch, also in what is called", () => {
    const stored = "    MOV R1, 77\n    STG [RD0+4], R1";
    expect(resultOf(`${stored}\n    LDG.CONSTANT R9, [RD0+4]`)).toBe(0x07060504);
    expect(resultOf(`${stored}\n    LDG R9, [RD0+4]`)).toBe(77);
    const called = ".func early(p: RD0) -> R9\nBB0:\n    LDG.CONSTANT.U8 R9, [RD0+4]\n    RET";
    expect(resultOf(`${stored}\n    CALL early, {R9}, {RD0}`, {}, called)).toBe(0x04);
  });

  it("extends signed loads by their sign", () => {
    expect(resultOf("    LDG.S8 R9, [RD0+0x80]")).toBe(0xffffff80);
    expect(resultOf("    LDG.S16 R9, [RD0+0x80]")).toBe(0xffff8180);
    expect(resultOf("    LDG.S8 R9, [RD0+0x7f]")).toBe(0x7f);
  });

  it("moves 64 and 128 bits through wide registers and vectors", () => {
    const { outcome, view } = withBuffer(`
    LDG.64 RD4, [RD0+8]
    STG.64 [RD0+64], RD4
    LDG.128 {R4, R5, R6, R7}, [RD0+16]
    STG.128 [RD0+80], {R7, R6, R5, R4}
    LDG.64 {R10, R11}, [RD0]
    STG.64 [RD0+96], {R11, R10}
    LDG.128 {RD6, RD7}, [RD0+16]
    STG.128 [RD0+112], {RD7, RD6}`);
    expect(outcome.status).toBe("ok");
    expect(view.getBigUint64(64, true)).toBe(0x0f0e0d0c0b0a0908n);
    expect([80, 84, 88, 92].map((at) => view.getUint32(at, true))).toEqual([0x1f1e1d1c, 0x1b1a1918, 0x17161514, 0x13121110]);
    expect([96, 100].map((at) => view.getUint32(at, true))).toEqual([0x07060504, 0x03020100]);
    expect([112, 120].map((at) => view.getBigUint64(at, true))).toEqual([0x1f1e1d1c1b1a1918n, 0x1716151413121110n]);
  });

  it("stores the low bytes of narrow stores only", () => {
    const { view } = withBuffer("    MOV R9, 0xaabbccdd\n    STG.U8 [RD0+64], R9\n    STG.U16 [RD0+66], R9");
    expect([64, 65, 66, 67].map((at) => view.getUint8(at))).toEqual([0xdd, 65, 0xdd, 0xcc]);
  });

  it("adds an index register, and wraps 64-bit addresses", () => {
    expect(resultOf("    MOV R1, 12\n    LDG R9, [RD0+R1+4]")).toBe(0x13121110);
    expect(resultOf("    IADD.64 RD4, RD0, -8\n    LDG R9, [RD4+8]")).toBe(0x03020100);
    expect(resultOf(`    MOV RD4, -16\n    LDG R9, [RD4+${BUFFER_BASE + 20}]`)).toBe(0x07060504);
  });

  it("skips lanes whose guard is false, also where they would trap", () => {
    expect(resultOf("    MOV R9, 7\n@P0 LDG R9, [RZ]")).toBe(7);
  });

  it("keeps spaces apart: shared per block, local per lane, generic over all", () => {
    const buffers = placeBuffers([{ name: "a", size: 256 }]);
    const outcome = run(
      `.kernel k(a: RD0)
BB0:
    S2R R1, SR_TID.X
    SHL R2, R1, 2
    STL [16], R1
    STS [R2], R1
    BAR.SYNC 0
    LDS R3, [R2+4]
    LDL R4, [16]
    LD R5, [R2+4]
    IADD R6, R3, R4
    IADD R6, R6, R5
    IMAD.WIDE RD1, R1, 4, RD0
    ST [RD1], R6
    EXIT
`,
      { threads: 40, args: [[buffers[0]!.base, 0]], buffers },
    );
    expect(outcome.status).toBe("ok");
    const words = Array.from({ length: 40 }, (_, t) => buffers[0]!.view.getUint32(4 * t, true));
    expect(words).toEqual(Array.from({ length: 40 }, (_, t) => t + 2 * (t === 39 ? 0 : t + 1)));
  });

  it("reads constant banks, fixed and indexed", () => {
    const bank = new Uint8Array(0x200);
    new DataView(bank.buffer).setUint32(0x160, 77, true);
    new DataView(bank.buffer).setInt32(0x170, -5, true);
    const constants = new Map([[0, bank]]);
    expect(resultOf("    IADD R9, RZ, c[0x0][0x160]", { constants })).toBe(77);
    expect(resultOf("    MOV R1, 0x100\n    LDC R9, c[0x0][R1+0x60]", { constants })).toBe(77);
    expect(resultOf("    IADD R9, RZ, -c[0x0][0x170]", { constants })).toBe(5);
    expect(resultOf("    IADD R9, RZ, c[0x2][0x10]", { constants })).toBe(0);
  });

  it("finds declared symbols with their contents", () => {
    const outcome = run(`.symbol g global 8 4 init=0500000007000000
.func f() -> R1, R2
BB0:
    LDG R1, [g]
    LDG R2, [g+4]
    STG [g], R2
    RET
`);
    expect(outcome.message).toBe("");
    expect([outcome.returns[0]!.lo[0], outcome.returns[1]!.lo[0]]).toEqual([5, 7]);
    expect(outcome.symbols!.view.getUint32(0, true)).toBe(7);
  });
});

describe("traps", () => {
  it.each([
    ["    LDG R9, [RD0+256]", "outside of every buffer", BUFFER_BASE + 256],
    ["    LDG R9, [RD0+254]", "misaligned", BUFFER_BASE + 254],
    ["    LDG.64 RD9, [RD0+252]", "misaligned", BUFFER_BASE + 252],
    ["    LDG.128 {R1, R2, R3, R4}, [RD0+8]", "misaligned", BUFFER_BASE + 8],
    ["    LDG R9, [RD0-4]", "outside of every buffer", BUFFER_BASE - 4],
    ["    STG [RZ], R9", "outside of every buffer", 0],
    ["    MOV RD3, 0x100000000\n    STG [RD3], R9", "outside of every buffer", 0x100000000],
    ["    MOV R3, 0xffffffff\n    LDS R9, [R3]", "misaligned", 0xffffffff],
    ["    LDS R9, [0xfffffc]", "outside of shared memory", 0xfffffc],
    ["    LDL R9, [4096]", "outside of local memory", 4096],
    ["    STL [-2147483648], 11", "outside of local memory", 2147483648],
    ["    STS [-4], 11", "outside of shared memory", 4294967292],
    ["    RED.ADD [RD0+2], R9", "misaligned", BUFFER_BASE + 2],
    ["    LDC R9, c[0x0][R0-4]", "outside of constant bank 0", 0xfffffffc],
    ["    BPT.TRAP", "BPT.TRAP", null],
  ])("%s says %s", (body, message, address) => {
    const { outcome } = withBuffer(body);
    expect(outcome.status).toBe("trap");
    expect(outcome.message).toContain(message);
    expect(outcome.stop).toMatchObject({ func: "k", label: "BB0", thread: 0, address });
  });

  it("name the lane that did it, and stop there", () => {
    const buffers = placeBuffers([{ name: "a", size: 148 }]);
    const outcome = run(".kernel k(a: RD0)\nBB0:\n    S2R R1, SR_TID.X\n    IMAD.WIDE RD1, R1, 4, RD0\n    STG [RD1], R1\n    EXIT\n", {
      threads: 64,
      args: [[buffers[0]!.base, 0]],
      buffers,
    });
    expect(outcome.status).toBe("trap");
    expect(outcome.stop!.thread).toBe(37);
    expect(outcome.stop!.inst!.op).toBe("STG");
  });
});

describe("atomics", () => {
  const old = 0x0b0a0908;
  const cases: readonly [string, string, number][] = [
    ["ADD", "5", old + 5],
    ["MIN", "5", 5],
    ["MAX", "5", old],
    ["MIN.S32", "-1", 0xffffffff],
    ["MAX.S32", "-1", old],
    ["AND", "0xff", 0x08],
    ["OR", "0xf0", 0x0b0a09f8],
    ["XOR", "-1", ~old >>> 0],
    ["EXCH", "3", 3],
    ["INC", "-1", old + 1],
    ["INC", "4", 0],
    ["DEC", "-1", old - 1],
    ["DEC", "4", 4],
  ];
  it.each(cases)("ATOM.%s with %s", (op, operand, want) => {
    const { outcome, view } = withBuffer(`    MOV R1, ${operand}\n    ATOM.${op} R9, [RD0+8], R1\n    STG [RD0+64], R9`);
    expect(outcome.status).toBe("ok");
    expect(view.getUint32(8, true)).toBe(want);
    expect(view.getUint32(64, true)).toBe(old);
  });

  it("ATOM.CAS compares with the first operand and stores the second", () => {
    const { view } = withBuffer(`    MOV R1, ${old}\n    MOV R2, 9\n    ATOM.CAS R9, [RD0+8], R1, R2\n    ATOM.CAS R9, [RD0+8], R1, R1`);
    expect(view.getUint32(8, true)).toBe(9);
  });

  it("works on 64 bits and floats", () => {
    const { outcome, view } = withBuffer(`
    ATOM.ADD.64 RD3, [RD0+8], RD0
    STG [RD0+64], RZ
    MOV R1, 1.5
    ATOM.ADD.F32 R9, [RD0+64], R1
    RED.ADD.F32 [RD0+64], R1
    STG.64 [RD0+72], RDZ
    MOV RD4, 2.25
    RED.ADD.F64 [RD0+72], RD4`);
    expect(outcome.message).toBe("");
    expect(view.getBigUint64(8, true)).toBe(0x0f0e0d0c0b0a0908n + BigInt(BUFFER_BASE));
    expect(view.getFloat32(64, true)).toBe(3);
    expect(view.getFloat64(72, true)).toBe(2.25);
  });

  it("serves lanes in order, ATOMS too", () => {
    const buffers = placeBuffers([{ name: "a", size: 256 }]);
    const outcome = run(
      ".func f(a: RD0) -> R2, R3\nBB0:\n    MOV R1, 2\n    ATOM.ADD R2, [RD0], R1\n    ATOMS.ADD R3, [RZ], R1\n    RET\n",
      { threads: 64, args: [[buffers[0]!.base, 0]], buffers },
    );
    expect([...outcome.returns[0]!.lo]).toEqual(Array.from({ length: 64 }, (_, t) => 2 * t));
    expect([...outcome.returns[1]!.lo]).toEqual(Array.from({ length: 64 }, (_, t) => 2 * t));
  });
});

describe("asynchronous copies", () => {
  const begin = "    LDGSTS.64 [16], [RD0+8]\n    LDGDEPBAR";

  it("are there once they are waited for, and not before", () => {
    expect(resultOf(`    LDGSTS.32 [16], [RD0+8]\n    LDGDEPBAR\n    LDS R9, [16]`)).toBe(0);
    expect(resultOf(`${begin}\n    DEPBAR 0\n    LDS R9, [20]`)).toBe(0x0f0e0d0c);
    expect(resultOf("    LDGSTS.128 [16], [RD0+16]\n    LDGDEPBAR\n    DEPBAR 0\n    LDS R9, [28]")).toBe(0x1f1e1d1c);
  });

  it("read their source where they begin", () => {
    expect(resultOf("    LDGSTS.32 [16], [RD0+8]\n    STG [RD0+8], RZ\n    LDGDEPBAR\n    DEPBAR 0\n    LDS R9, [16]")).toBe(0x0b0a0908);
  });

  it("are counted in groups, the last ones may be left open", () => {
    const three = [8, 12, 16].map((at, i) => `    LDGSTS.32 [${4 * i}], [RD0+${at}]\n    LDGDEPBAR`).join("\n");
    const left = (open: number, at: number): number => resultOf(`${three}\n    DEPBAR ${open}\n    LDS R9, [${at}]`);
    expect([left(2, 0), left(2, 4), left(1, 4), left(1, 8), left(0, 8)]).toEqual([0x0b0a0908, 0, 0x0f0e0d0c, 0, 0x13121110]);
    // One that no group has is not waited for.
    expect(resultOf("    LDGSTS.32 [16], [RD0+8]\n    DEPBAR 0\n    LDS R9, [16]")).toBe(0);
    // An empty group counts.
    expect(resultOf(`${begin}\n    LDGDEPBAR\n    DEPBAR 1\n    LDS R9, [16]`)).toBe(0x0b0a0908);
  });

  it("fill with zeros what is not copied, and then need no address", () => {
    const copied = (bytes: string): number =>
      resultOf(`    MOV R1, -1\n    STS [16], R1\n    LDGSTS.32 [16], [RD0+8], ${bytes}\n    LDGDEPBAR\n    DEPBAR 0\n    LDS R9, [16]`);
    expect([copied("4"), copied("3"), copied("0"), copied("9")]).toEqual([0x0b0a0908, 0x000a0908, 0, 0x0b0a0908]);
    expect(resultOf("    LDGSTS.32 [16], [0], 0\n    LDGDEPBAR\n    DEPBAR 0\n    LDS R9, [16]")).toBe(0);
    expect(withBuffer("    LDGSTS.32 [16], [0]").outcome.status).toBe("trap");
    expect(withBuffer("    LDGSTS.64 [20], [RD0]").outcome.message).toContain("misaligned");
  });
});

describe("instructions the model does not know", () => {
  const value = (body: string, n = 0): number => {
    const outcome = run(`.func f(n: R0) -> R9\nBB0:\n${body}\n    RET\n`, { threads: 1, args: [n] });
    expect(outcome.message).toBe("");
    return outcome.returns[0]!.lo[0]!;
  };

  it("give the same for the same text and inputs, and else something different", () => {
    const one = value('    OPAQUE.pure {R9}, {R0}, "foo"', 3);
    expect(value('    NOP\n    OPAQUE.pure {R9}, {R0}, "foo"', 3)).toBe(one);
    expect(value('    OPAQUE.pure {R9}, {R0}, "foo"', 4)).not.toBe(one);
    expect(value('    OPAQUE.pure {R9}, {R0}, "bar"', 3)).not.toBe(one);
    expect(value('    OPAQUE.pure {R8, R9}, {R0}, "foo"', 3)).not.toBe(one);
  });

  it("see the lanes that run them together", () => {
    const ran = (body: string): number[] => {
      const outcome = run(`.func f() -> R9\nBB0:\n    S2R R0, SR_LANEID\n    ISETP.LT P0, R0, 9\n${body}\n    RET\n`, { threads: 32 });
      expect(outcome.message).toBe("");
      return [...outcome.returns[0]!.lo];
    };
    const product = 'OPAQUE.warp {R9}, {R0}, "mma"';
    const all = ran(`    ${product}`);
    expect(new Set(all).size).toBe(32);
    expect(ran(`    ${product}`)).toEqual(all);
    expect(ran(`@P0 ${product}`)[0]).not.toBe(all[0]);
    expect(ran(`@P0 MOV R0, 77\n    ${product}`)[20]).not.toBe(all[20]);
  });

  it("see that memory changed when they load, and textures do not change", () => {
    const load = '    OPAQUE.load {R9}, {R0}, "foo"';
    expect(value(`    STS [0], R0\n${load}`)).not.toBe(value(load));
    expect(value(`    STL [0], R0\n${load}`)).toBe(value(load));
    const tex = "    TEX.2D R9, R0, 1, 2";
    expect(value(`    STS [0], R0\n${tex}`)).toBe(value(tex));
    expect(value("    TLD.1D R9, R0, 1, 2")).not.toBe(value("    TLD.1D R9, R0, 1, 3"));
  });

  it("log effects in order", () => {
    const effects = (body: string) => run(`.kernel k(n: R0)\nBB0:\n${body}\n    EXIT\n`, { threads: 1 });
    const a = effects('    OPAQUE.store {}, {R0}, "s"\n    OPAQUE.call {R1}, {}, "c"');
    const b = effects('    OPAQUE.call {R1}, {}, "c"\n    OPAQUE.store {}, {R0}, "s"');
    expect(a.effects.map((e) => e.text)).toEqual(["s", "c"]);
    expect([...a.effectCount]).toEqual([2]);
    expect(a.effectDigest[0]).not.toBe(b.effectDigest[0]);
  });

  it("MEMBAR orders nothing that is not in order already", () => {
    expect(value("    MOV R9, 4\n    MEMBAR.SC.GPU")).toBe(4);
  });
});
