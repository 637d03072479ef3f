import { describe, expect, it } from "vitest";
import { run } from "./testing/eval.ts";

/** R9 by thread. */
function values(text: string, inputs: Parameters<typeof run>[1] = {}): number[] {
  const outcome = run(text, inputs);
  expect(outcome.message).toBe("");
  return [...outcome.returns[0]!.lo];
}

const HEAD = ".func f() -> R9\nBB0:\n    S2R R1, SR_LANEID\n    ISETP.LT P0, R1, 8\n    ISETP.LT P1, R1, 4\n";

describe("divergence", () => {
  const diamond = `${HEAD}@P0 BRA BB2
BB1:
    MOV R9, 1
    ACTIVEMASK R2
    BRA BB3
BB2:
    MOV R9, 2
    ACTIVEMASK R2
BB3:
    ACTIVEMASK R3
    IMAD R9, R9, 1000, R3
    RET
`;

  it("splits at a branch and rejoins at the immediate post-dominator", () => {
    const outcome = run(diamond);
    expect([...outcome.returns[0]!.lo]).toEqual(Array.from({ length: 32 }, (_, l) => ((l < 8 ? 2000 : 1000) + 0xffffffff) >>> 0));
    expect(outcome.counters).toMatchObject({ branches: 2, divergentBranches: 1, maxSyncDepth: 1 });
    // 4 before the split, 3 and 2 in the arms, 3 afterwards.
    expect(outcome.counters.warpInstructions).toBe(4 + 3 + 2 + 3);
    expect(outcome.counters.laneInstructions).toBe(3 * 32 + 8 + 24 * 3 + 8 * 2 + 3 * 32);
  });

  it("counts executions and divergences by block", () => {
    const outcome = run(diamond, { threads: 64 });
    expect([...outcome.executions]).toEqual([2, 2, 2, 2]);
    expect([...outcome.divergences]).toEqual([2, 0, 0, 0]);
  });

  it("does not split where all lanes agree", () => {
    const outcome = run(diamond, { threads: 8 });
    expect(outcome.counters).toMatchObject({ branches: 1, divergentBranches: 0, maxSyncDepth: 0 });
  });

  it("rejoins at the BSYNC of the enclosing region rather than earlier", () => {
    const nested = (open: string, close: string): string => `${HEAD}${open}@P0 BRA BB2
BB1:
    BRA BB5
BB2:
@P1 BRA BB4
BB3:
    NOP
BB4:
    ACTIVEMASK R9
BB5:
${close}    RET
`;
    // Without a region the inner branch rejoins at BB4; inside a region its lanes meet at the BSYNC only.
    expect(values(nested("", "")).slice(0, 8)).toEqual(Array(8).fill(0xff));
    expect(values(nested("    BSSY B0, BB5\n", "    BSYNC B0\n")).slice(0, 8)).toEqual([15, 15, 15, 15, 240, 240, 240, 240]);
  });

  it("lets the lanes of a region go when the others exit, break out or return", () => {
    const early = (leave: string): string => `${HEAD}    BSSY B0, BB3
@P0 BRA BB2
BB1:
${leave}
BB2:
    NOP
BB3:
    BSYNC B0
    ACTIVEMASK R9
    RET
`;
    expect(values(early("    EXIT")).slice(0, 8)).toEqual(Array(8).fill(0xff));
    expect(values(early("    KILL")).slice(0, 8)).toEqual(Array(8).fill(0xff));
    const out = values(early("    BREAK B0\n    ACTIVEMASK R9\n    RET"));
    expect(out).toEqual(Array.from({ length: 32 }, (_, l) => (l < 8 ? 0xff : 0xffffff00)));
  });

  it("forgets a region for the lanes that broke out of it: its barrier opens another inside of a third", () => {
    // Lane 0 waits at the first BSYNC by itself; the others go on without it.
    const out = values(`.func f() -> R9
A:
    S2R R1, SR_LANEID
    ISETP.EQ P0, R1, 0
    BSSY B0, B
@!P0 BREAK B0
B:
    BSYNC B0
    BSSY B3, D
    LOP.AND R2, R1, 1
    ISETP.EQ P1, R2, 0
    BSSY B0, D
@P1 BRA D
C:
    NOP
D:
    BSYNC B3
    ACTIVEMASK R9
    RET
`);
    expect(out.map((mask) => mask >>> 0)).toEqual(Array.from({ length: 32 }, (_, l) => (l === 0 ? 1 : 0xfffffffe)));
  });

  it("does not stack up regions when all lanes but one break out in each iteration", () => {
    const { counters } = run(`.func f() -> R9
A:
    S2R R1, SR_LANEID
    MOV R9, 0
B:
    ISETP.EQ P0, R1, R9
    BSSY B0, C
@!P0 BREAK B0
C:
    BSYNC B0
    IADD R9, R9, 1
    ISETP.LT P1, R9, 100
@P1 BRA B
D:
    RET
`);
    expect(counters.maxSyncDepth).toBeLessThan(4);
  });

  it("runs loops with trip counts that differ by lane, and rejoins after them", () => {
    const outcome = run(`.func f() -> R9, R3
BB0:
    S2R R1, SR_LANEID
    MOV R9, 0
    MOV R2, 0
BB1:
    ISETP.GE P0, R2, R1
@P0 BRA BB3
BB2:
    IADD R9, R9, R2
    IADD R2, R2, 1
    BRA BB1
BB3:
    ACTIVEMASK R3
    RET
`);
    expect([...outcome.returns[0]!.lo]).toEqual(Array.from({ length: 32 }, (_, l) => (l === 0 ? 0 : (l * (l - 1)) / 2)));
    expect([...outcome.returns[1]!.lo]).toEqual(Array(32).fill(0xffffffff));
    expect(outcome.counters.maxSyncDepth).toBe(1);
  });

  it("opens a region again in a loop without growing", () => {
    const outcome = run(`.func f() -> R9
BB0:
    S2R R1, SR_LANEID
    MOV R9, 0
BB1:
    BSSY B0, BB3
    IADD R9, R9, 1
    ISETP.LT P0, R9, R1
@P0 BRA BB1
BB3:
    BSYNC B0
    RET
`);
    expect([...outcome.returns[0]!.lo]).toEqual(Array.from({ length: 32 }, (_, l) => Math.max(1, l)));
    expect(outcome.counters.maxSyncDepth).toBeLessThan(3);
  });

  it("executes guarded exits lane by lane, and WARPSYNC and NOP do nothing", () => {
    const got = values(`${HEAD}    MOV R9, 1\n@P0 EXIT\nBB1:\n    WARPSYNC -1\n    NOP\n    ACTIVEMASK R9\n    RET\n`);
    expect(got).toEqual(Array.from({ length: 32 }, (_, l) => (l < 8 ? 0 : 0xffffff00)));
  });

  it("takes a branch with a predicate operand when guard and operand hold", () => {
    const got = values(`${HEAD}    MOV R9, 1\n@P0 BRA !P1, BB2\nBB1:\n    MOV R9, 2\nBB2:\n    RET\n`);
    expect(got).toEqual(Array.from({ length: 32 }, (_, l) => (l >= 4 && l < 8 ? 1 : 2)));
  });
});

describe("PHI", () => {
  it("takes the value of the edge each lane came in by", () => {
    const got = values(`${HEAD}@P0 BRA BB2
BB1:
    MOV R3, 10
    BRA BB3
BB2:
    MOV R4, 20
BB3:
    PHI R9, [BB1: R3], [BB2: R4]
    RET
`);
    expect(got).toEqual(Array.from({ length: 32 }, (_, l) => (l < 8 ? 20 : 10)));
  });

  it("reads all inputs before it writes any", () => {
    const outcome = run(`.func f() -> R1, R2, P1, P2, RD1, RD2
BB0:
    MOV R7, 3
    MOV R8, 4
    PMOV P5, PT
    MOV RD7, 5
    MOV R3, 0
BB1:
    PHI R1, [BB0: R7], [BB1: R2]
    PHI R2, [BB0: R8], [BB1: R1]
    PHI P1, [BB0: P5], [BB1: P2]
    PHI P2, [BB0: !PT], [BB1: P1]
    PHI RD1, [BB0: RD7], [BB1: RD2]
    PHI RD2, [BB0: -1], [BB1: RD1]
    PHI R4, [BB0: 0], [BB1: R5]
    IADD R5, R4, 1
    ISETP.LT P0, R5, 4
@P0 BRA BB1
BB2:
    RET
`);
    expect(outcome.message).toBe("");
    // Three swaps.
    expect(outcome.returns.map((c) => [c.lo[0], c.hi?.[0]])).toEqual([
      [4, undefined],
      [3, undefined],
      [0, undefined],
      [1, undefined],
      [0xffffffff, 0xffffffff],
      [5, 0],
    ]);
  });
});

describe("jump tables", () => {
  const table = (jump: string, fallback = " default=BB9"): string => `.func f(n: R0) -> R9
.table JT0 base=5${fallback} { BB1, BB2, BB1 }
BB0:
${jump}
BB1:
    MOV R9, 1
    RET
BB2:
    MOV R9, 2
    RET
BB9:
    MOV R9, 9
    RET
`;
  const lanes = { threads: 6, args: [(t: number) => (t === 5 ? 0xffffffff : t)] };

  it("JMX takes an index from 0 and goes to the default beyond", () => {
    expect(values(table("    JMX R0, JT0"), lanes)).toEqual([1, 2, 1, 9, 9, 9]);
  });

  it("BRX takes the address that LEA makes, or an index", () => {
    expect(values(table("    LEA R3, R0, JT0, 2\n    BRX R3, JT0"), { ...lanes, threads: 4 })).toEqual([1, 2, 1, 9]);
    expect(values(table("    BRX R0, JT0"), { ...lanes, threads: 4 })).toEqual([1, 2, 1, 9]);
  });

  it("traps without a default", () => {
    const outcome = run(table("    JMX R0, JT0", ""), lanes);
    expect(outcome.status).toBe("trap");
    expect(outcome.stop!.thread).toBe(3);
  });

  it("splits into as many parts as there are targets", () => {
    const outcome = run(table("    JMX R0, JT0"), { threads: 4, args: [(t) => t] });
    expect(outcome.counters).toMatchObject({ branches: 1, divergentBranches: 1 });
    expect([...outcome.executions]).toEqual([1, 1, 1, 1]);
  });
});

describe("calls", () => {
  const module = `.func f(n: R0) -> R9
BB0:
    ISETP.GT P0, R0, 2
    MOV R9, 1
@P0 CALL g, {R9, P1}, {R0, RD0}
    ACTIVEMASK R3
    IMAD R9, R9, 100, R3
    RET
.func g(m: R5, w: RD5) -> R1, P4
BB0:
    ISETP.LE P0, R5, 1
    MOV R1, 1
@P0 BRA BB2
BB1:
    IADD R6, R5, -1
    CALL g, {R2, P3}, {R6, RD5}
    IMUL R1, R2, R5
BB2:
    PMOV P4, PT
    RET
`;
  it("pass values by position, recurse, and come back together", () => {
    const factorial = [1, 1, 1, 6, 24, 120];
    expect(values(module, { threads: 6, args: [(t) => t] })).toEqual(factorial.map((v) => v * 100 + 63));
  });

  it("trap when they nest too deeply, or do not fit", () => {
    const endless = run(".func f() -> R9\nBB0:\n    CALL f, {R9}, {}\n    RET\n");
    expect(endless).toMatchObject({ status: "trap", message: "more than 64 nested calls" });
    expect(run(".func f() -> R9\nBB0:\n    CALL h, {R9}, {}\n    RET\n").message).toBe("there is no function h");
    expect(run(".func f() -> R9\nBB0:\n    CALL f, {R9}, {R1}\n    RET\n").message).toContain("takes 0 arguments");
  });

  it("by address lead each lane to the function that it names, and come back together", () => {
    const text = `.symbol two func 16 16
.symbol three func 16 16
.symbol table global 16 8 addresses={0:two, 8:three}
.func f(n: R0) -> R9
BB0:
    AND     R1, R0, 1
    MOV.64  RD2, table
    IMAD.WIDE RD2, R1, 8, RD2
    LDG.64  RD3, [RD2]
    ISETP.NE P0, R0, 5
    MOV     R9, 7
@P0 CALL    RD3, {R9}, {R0}
    ACTIVEMASK R4
    IMAD    R9, R9, 1000, R4
    RET
.func two(a: R0) -> R1
BB0:
    IADD    R1, R0, R0
    RET
.func three(a: R0) -> R1
BB0:
    IMUL    R1, R0, 3
    RET
`.replace("AND     R1", "LOP.AND R1");
    const wanted = [0, 3, 4, 9, 8, 7].map((v) => v * 1000 + 63);
    expect(values(text, { threads: 6, args: [(t) => t] })).toEqual(wanted);
  });

  it("by address trap where the address is no function's", () => {
    const { message } = run(".func f() -> R9\nBB0:\n    MOV.64 RD1, 4660\n    CALL RD1, {R9}, {}\n    RET\n");
    expect(message).toBe("there is no function at the address 0x1234");
  });

  it("an EXIT in a function ends the thread", () => {
    const outcome = run(
      ".func f() -> R9\nBB0:\n    CALL g, {}, {}\n    RET\n.func g()\nBB0:\n    S2R R1, SR_LANEID\n    ISETP.LT P0, R1, 3\n@P0 EXIT\nBB1:\n    RET\n",
    );
    expect([...outcome.returned]).toEqual(Array.from({ length: 32 }, (_, l) => (l < 3 ? 0 : 1)));
  });
});

describe("BAR.SYNC", () => {
  it("makes all warps wait for one another", () => {
    const got = values(
      `.func f() -> R9
BB0:
    S2R R1, SR_TID.X
    SHL R2, R1, 2
    STS [R2], R1
    BAR.SYNC 0
    LOP.XOR R3, R2, 128
    LDS R9, [R3]
    RET
`,
      { threads: 64 },
    );
    expect(got).toEqual(Array.from({ length: 64 }, (_, t) => t ^ 32));
  });

  it("counts threads, wherever they call it", () => {
    const outcome = run(`${HEAD}@P0 BRA BB2\nBB1:\n    BAR.SYNC 0\n    BRA BB3\nBB2:\n    BAR.SYNC 0\nBB3:\n    ACTIVEMASK R9\n    RET\n`, {
      threads: 64,
    });
    expect(outcome.status).toBe("ok");
    expect(outcome.returns[0]!.lo[0]).toBe(0xffffffff);
  });

  it("reports a deadlock when a part of the live threads never comes", () => {
    const outcome = run(`${HEAD}    BSSY B0, BB2\n@P0 BRA BB2\nBB1:\n    BAR.SYNC 0\nBB2:\n    BSYNC B0\n    RET\n`);
    expect(outcome.status).toBe("deadlock");
    expect(outcome.message).toContain("24 of 32");
    expect(outcome.stop).toMatchObject({ label: "BB1", thread: 8 });
  });

  it("does not wait for threads that ended", () => {
    expect(run(`${HEAD}@P0 EXIT\nBB1:\n    BAR.SYNC 0\n    MOV R9, 1\n    RET\n`, { threads: 64 }).status).toBe("ok");
  });

  it("can be passed by guarded lanes, and counts as named", () => {
    expect(run(`${HEAD}@P0 BAR.SYNC 0, 8\n    ACTIVEMASK R9\n    RET\n`).status).toBe("ok");
    expect(run(`${HEAD}@P0 BAR.SYNC 0\n    RET\n`).status).toBe("ok");
  });
});

describe("BAR.RED", () => {
  const asked = (red: string, threads = 64): number[] =>
    values(`.func f() -> R9\nBB0:\n    S2R R1, SR_TID.X\n    ISETP.LT P0, R1, 40\n    ISETP.GE P1, R1, 0\n${red}\n    RET\n`, { threads });
  const all = <T>(value: T, n = 64): T[] => Array.from({ length: n }, () => value);

  it("counts the threads of all warps whose predicate holds", () => {
    expect(asked("    BARRED.POPC R9, 0, P0")).toEqual(all(40));
    expect(asked("    BARRED.POPC R9, 0, !P0")).toEqual(all(24));
    expect(asked("    BARRED.POPC R9, 0, P0", 50)).toEqual(all(40, 50));
  });

  it("says whether all or any do", () => {
    const bit = "\n    SEL R9, 1, RZ, P2";
    expect(asked(`    BARRED.AND P2, 0, P0${bit}`)).toEqual(all(0));
    expect(asked(`    BARRED.AND P2, 0, P1${bit}`)).toEqual(all(1));
    expect(asked(`    BARRED.OR P2, 0, P0${bit}`)).toEqual(all(1));
    expect(asked(`    BARRED.OR P2, 0, !P1${bit}`)).toEqual(all(0));
  });

  it("asks the threads it waits for, by number and count", () => {
    expect(asked("    MOV R9, 7\n@P0 BARRED.POPC R9, 1, 40, P1").slice(38, 42)).toEqual([40, 40, 7, 7]);
    expect(run(`${HEAD}    BSSY B0, BB2\n@P0 BRA BB2\nBB1:\n    BARRED.OR P3, 0, P1\nBB2:\n    BSYNC B0\n    RET\n`).status).toBe(
      "deadlock",
    );
  });

  it("lets threads rest without an effect", () => {
    expect(asked("    MOV R9, R1\n    NANOSLEEP R1\n    NANOSLEEP 20", 3)).toEqual([0, 1, 2]);
  });
});

describe("ends", () => {
  it("a loop without end runs out of fuel, at a place", () => {
    const outcome = run(".kernel k()\nBB0:\n    NOP\nBB1:\n    BRA BB1\n", { fuel: 1000 });
    expect(outcome.status).toBe("fuel");
    expect(outcome.counters.warpInstructions).toBe(1000);
    expect(outcome.stop).toMatchObject({ label: "BB1" });
  });

  it("tells which threads returned", () => {
    const outcome = run(`${HEAD}@P0 RET\nBB1:\n    EXIT\n`, { threads: 33 });
    expect([...outcome.returned]).toEqual(Array.from({ length: 33 }, (_, t) => (t % 32 < 8 ? 1 : 0)));
  });

  it("runs 1024 threads", () => {
    const outcome = run(".func f() -> R9\nBB0:\n    S2R R9, SR_TID.X\n    RET\n", { threads: 1024 });
    expect([...outcome.returns[0]!.lo]).toEqual(Array.from({ length: 1024 }, (_, t) => t));
  });

  it("registers start as 0 and predicates as false", () => {
    expect(values(".func f() -> R9\nBB0:\n    MOV R9, R77\n@P5 MOV R9, 1\n    RET\n", { threads: 1 })).toEqual([0]);
  });
});
