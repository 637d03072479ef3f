import { describe, expect, it } from "vitest";
import { run } from "./testing/eval.ts";

const IDS = Array.from({ length: 32 }, (_, l) => l);

/** What R9 (and P9) hold by lane after a body; R1 is 100 + lane, R2 the lane. */
function lanesOf(body: string, out = "R9", threads = 32): number[] {
  const outcome = run(
    `.func f() -> ${out}\nBB0:\n    S2R R2, SR_LANEID\n    IADD R1, R2, 100\n    ISETP.LT P1, R2, 5\n${body}\n    RET\n`,
    { threads },
  );
  expect(outcome.message).toBe("");
  return [...outcome.returns[0]!.lo];
}

/** PTX ISA, shfl.sync: the lane read from, and whether it is in range. */
function shuffled(mode: string, lane: number, b: number, clamp: number, segment: number): [number, boolean] {
  const max = (lane & segment) | (clamp & ~segment & 31);
  const min = lane & segment;
  const j = mode === "UP" ? lane - b : mode === "DOWN" ? lane + b : mode === "BFLY" ? lane ^ b : min | (b & ~segment & 31);
  const ok = mode === "UP" ? j >= max : j <= max;
  return [ok ? j : lane, ok];
}

describe("warp instructions", () => {
  for (const mode of ["IDX", "UP", "DOWN", "BFLY"]) {
    it.each([
      [1, 31, 0],
      [3, 0, 0],
      [5, 0x1f, 0x18],
      [7, 0x07, 0x10],
      [16, 31, 0],
    ])(`SHFL.${mode} by %i with clamp %i in segments %i`, (b, clamp, segment) => {
      const want = IDS.map((l) => shuffled(mode, l, b, clamp, segment));
      const control = (segment << 8) | clamp;
      expect(lanesOf(`    SHFL.${mode} P9, R9, R1, ${b}, ${control}`)).toEqual(want.map(([j]) => 100 + j));
      expect(lanesOf(`    SHFL.${mode} P9, R9, R1, ${b}, ${control}`, "P9")).toEqual(want.map(([, ok]) => (ok ? 1 : 0)));
    });
  }

  it("SHFL reads 0 from a lane that takes no part", () => {
    const got = lanesOf("    MOV R9, 1\n@P1 SHFL.BFLY R9, R1, 4, 31");
    expect(got.slice(0, 6)).toEqual([104, 0, 0, 0, 100, 1]);
  });

  it("VOTE counts active lanes only", () => {
    expect(lanesOf("    VOTE.BALLOT R9, P1")).toEqual(IDS.map(() => 31));
    expect(lanesOf("    VOTE.ALL P9, P1", "P9")).toEqual(IDS.map(() => 0));
    expect(lanesOf("    VOTE.ANY P9, P1", "P9")).toEqual(IDS.map(() => 1));
    expect(lanesOf("@P1 VOTE.ALL P9, P1", "P9")).toEqual(IDS.map((l) => (l < 5 ? 1 : 0)));
    expect(lanesOf("@!P1 VOTE.BALLOT R9, !P1", "R9", 8)).toEqual([0, 0, 0, 0, 0, 0xe0, 0xe0, 0xe0]);
  });

  it("MATCH finds lanes with the same value", () => {
    const odd = 0xaaaaaaaa;
    const even = 0x55555555;
    expect(lanesOf("    LOP.AND R3, R2, 1\n    MATCH.ANY R9, R3")).toEqual(IDS.map((l) => (l % 2 === 1 ? odd : even)));
    expect(lanesOf("    LOP.AND R3, R2, 1\n    MATCH.ALL R9, P9, R3")).toEqual(IDS.map(() => 0));
    expect(lanesOf("    MATCH.ALL R9, P9, RZ", "P9")).toEqual(IDS.map(() => 1));
    expect(lanesOf("    PACK RD1, RZ, R2\n    MATCH.ANY.64 R9, RD1")).toEqual(IDS.map((l) => (1 << l) >>> 0));
  });

  it.each([
    ["ADD", IDS.reduce((s, l) => s + 100 + l, 0)],
    ["MIN", 100],
    ["MAX", 131],
    ["AND", IDS.reduce((s, l) => s & (100 + l), -1)],
    ["OR", IDS.reduce((s, l) => s | (100 + l), 0)],
    ["XOR", IDS.reduce((s, l) => s ^ (100 + l), 0)],
  ])("REDUX.%s", (op, want) => {
    expect(lanesOf(`    REDUX.${op} R9, R1`)).toEqual(IDS.map(() => want >>> 0));
  });

  it("REDUX compares unsigned unless it says .S32, over active lanes", () => {
    expect(lanesOf("    ISUB R3, R2, 3\n    REDUX.MIN R9, R3")[0]).toBe(0);
    expect(lanesOf("    ISUB R3, R2, 3\n    REDUX.MIN.S32 R9, R3")[0]).toBe(0xfffffffd);
    expect(lanesOf("@P1 REDUX.MAX R9, R1").slice(3, 6)).toEqual([104, 104, 0]);
  });

  it("ACTIVEMASK is the set of lanes that execute it", () => {
    expect(lanesOf("    ACTIVEMASK R9", "R9", 31)).toEqual(IDS.slice(1).map(() => 0x7fffffff));
    expect(lanesOf("@P1 ACTIVEMASK R9")).toEqual(IDS.map((l) => (l < 5 ? 31 : 0)));
  });
});

describe("special registers", () => {
  const special = (name: string, t: number): number => {
    const outcome = run(`.func f() -> R9\nBB0:\n    S2R R9, ${name}\n    RET\n`, { threads: 40, blockDim: [5, 4, 2], blockIdx: [7, 0, 0] });
    return outcome.returns[0]!.lo[t]!;
  };
  it.each([
    ["SR_TID.X", 33, 33 % 5],
    ["SR_TID.Y", 33, Math.floor(33 / 5) % 4],
    ["SR_TID.Z", 33, 1],
    ["SR_NTID.X", 0, 5],
    ["SR_NTID.Y", 0, 4],
    ["SR_CTAID.X", 0, 7],
    ["SR_LANEID", 33, 1],
  ])("%s of thread %i", (name, t, want) => {
    expect(special(name, t)).toBe(want);
  });

  it("clocks go on with each read of a thread, and with nothing else", () => {
    const read = (body: string) =>
      run(`.func f() -> R8, R9\nBB0:\n    CS2R R8, SR_CLOCKLO\n${body}    CS2R R9, SR_CLOCKLO\n    RET\n`, { threads: 2 });
    const a = read("");
    const b = read("    NOP\n    NOP\n");
    expect([...a.returns[1]!.lo]).toEqual([...b.returns[1]!.lo]);
    expect(a.returns[1]!.lo[1]).toBeGreaterThan(a.returns[0]!.lo[1]!);
  });
});
