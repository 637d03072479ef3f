import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { run } from "./testing/eval.ts";

/** What each thread returns in the registers that are named, after `body`. */
function resultsOf(body: string, returns: string, threads = 1) {
  const outcome = run(`.func f() -> ${returns}\nBB0:\n${body}\n    RET\n`, { threads, fuel: 5_000 });
  expect([outcome.status, outcome.message]).toEqual(["ok", ""]);
  return outcome.returns.map(({ lo }) => [...lo]);
}

const trap = (body: string, threads = 1): string => {
  const { status, message } = run(`.func f()\nBB0:\n${body}\n    RET\n`, { threads, fuel: 500 });
  return `${status}: ${message}`;
};

/** P0 to P2: after each of three arrivals, is the phase of parity 0 over? */
const ASKED = `
    SYNCS.ARRIVE RZ, [0x10]
    PHASECHK P0, [0x10], 0
    SYNCS.ARRIVE RZ, [0x10]
    PHASECHK P1, [0x10], 0
    SYNCS.ARRIVE RZ, [0x10]
    PHASECHK P2, [0x10], 0`;

describe("a barrier object", () => {
  it("ends its phase with the last arrival, and the next one with as many", () => {
    expect(resultsOf(`    SYNCS.INIT RZ, [0x10], 3${ASKED}`, "P0, P1, P2").flat()).toEqual([0, 0, 1]);
    expect(resultsOf(`    SYNCS.INIT RZ, [0x10], 2${ASKED}`, "P0, P1, P2").flat()).toEqual([0, 1, 1]);
    // The third arrival ends the third phase: of parity 0 is again the one under way.
    expect(resultsOf(`    SYNCS.INIT RZ, [0x10], 1${ASKED}`, "P0, P1, P2").flat()).toEqual([1, 0, 1]);
  });

  it("knows a phase by the state that an arrival gave, with the arrivals it waited for", () => {
    const body = `
    SYNCS.INIT RZ, [0x10], 3
    SYNCS.ARRIVE RD1, [0x10], 2
    PHASECHK.64 P0, [0x10], RD1
    SYNCS.ARRIVE RD2, [0x10]
    PHASECHK.64 P1, [0x10], RD1
    PHASECHK.64 P2, [0x10], RD2
    SYNCS.ARRIVE RD3, [0x10]
    PHASECHK.64 P3, [0x10], RD3
    LOP.AND.64 RD1, RD1, 0xfffff
    LOP.AND.64 RD2, RD2, 0xfffff`;
    expect(resultsOf(body, "P0, P1, P2, P3, RD1, RD2").flat()).toEqual([0, 1, 1, 0, 3, 1]);
  });

  it("waits for announced bytes, too, also those that come first", () => {
    const body = `
    SYNCS.INIT RZ, [0x10], 1
    SYNCS.ARRIVE RZ, [0x10], 1, 64
    PHASECHK P0, [0x10], 0
    SYNCS.COMPLETE RZ, [0x10], 48
    PHASECHK P1, [0x10], 0
    SYNCS.COMPLETE RZ, [0x10], 16
    PHASECHK P2, [0x10], 0
    SYNCS.COMPLETE RZ, [0x10], 8
    SYNCS.EXPECT RZ, [0x10], 8
    SYNCS.ARRIVE RZ, [0x10]
    PHASECHK P3, [0x10], 1`;
    expect(resultsOf(body, "P0, P1, P2, P3").flat()).toEqual([0, 0, 1, 1]);
  });

  it("waits for those that dropped out in no later phase", () => {
    const body = `
    SYNCS.INIT RZ, [0x10], 2
    SYNCS.DROP RZ, [0x10]
    SYNCS.ARRIVE RZ, [0x10]
    SYNCS.ARRIVE RZ, [0x10]
    PHASECHK P0, [0x10], 1`;
    expect(resultsOf(body, "P0").flat()).toEqual([1]);
  });

  it.each([
    ["    SYNCS.ARRIVE RZ, [0x10]", "trap: there is no barrier object"],
    ["    PHASECHK P0, [0x10], 0", "trap: there is no barrier object"],
    ["    SYNCS.INIT RZ, [0x10], 1\n    SYNCS.INVAL RZ, [0x10]\n    SYNCS.ARRIVE RZ, [0x10]", "trap: there is no barrier object"],
    ["    SYNCS.INIT RZ, [0x10], 0", "trap: a barrier object for 0 arrivals"],
    ["    SYNCS.INIT RZ, [0x10], 1\n    SYNCS.ARRIVE RZ, [0x10], 2", "trap: 2 arrivals at a barrier object whose phase waits for 1"],
    ["    SYNCS.INIT RZ, [0x14], 1", "trap: misaligned access of 8 bytes at 0x14"],
    ["    SYNCS.INIT RZ, [0x10], 1\n    SYNCS.EXPECT RZ, [0x10], 0x100000", "trap: a barrier object counts no so many bytes"],
    ["    SYNCS.EXPECT RZ, [0x10]", "trap: SYNCS cannot be run: EXPECT needs a count"],
  ])("%s", (body, want) => {
    expect(trap(body)).toBe(want);
  });

  // Against counting by hand.
  it("counts any sequence of arrivals and bytes", () => {
    const rng = createPrng(20261123);
    for (let n = 0; n < 200; n++) {
      let expected = 1 + rng.below(5);
      let [pending, bytes, ended] = [expected, 0, 0];
      const body = [`    SYNCS.INIT RZ, [0x20], ${expected}`];
      for (let i = 0; i < 12; i++) {
        const amount = rng.below(3);
        if (rng.chance(0.2)) {
          body.push(`    SYNCS.EXPECT RZ, [0x20], ${amount}`);
          bytes += amount;
        } else if (rng.chance(0.3)) {
          body.push(`    SYNCS.COMPLETE RZ, [0x20], ${amount}`);
          bytes -= amount;
          if (pending === 0 && bytes === 0) [pending, ended] = [expected, ended + 1];
        } else if (pending > 0) {
          const drops = expected > 1 && rng.chance(0.2);
          body.push(drops ? "    SYNCS.DROP RZ, [0x20]" : "    SYNCS.ARRIVE RZ, [0x20]");
          if (drops) expected--;
          pending--;
          if (pending === 0 && bytes === 0) [pending, ended] = [expected, ended + 1];
        }
      }
      const got = resultsOf(`${body.join("\n")}\n    LDS.64 RD1, [0x20]\n    PHASECHK P0, [0x20], 0`, "RD1, P0").flat();
      expect([(got[0] as number) & 0xfffff, got[1]], body.join("\n")).toEqual([pending, ended % 2]);
    }
  });
});

describe("threads that ask for a phase", () => {
  /** Lane 40 arrives last, after the others have asked. */
  const LATE = `
    S2R R0, SR_TID.X
    ISETP.EQ P1, R0, 0
@P1 SYNCS.INIT RZ, [0x10], 64
    BAR.SYNC 0
    ISETP.EQ P2, R0, 40
@P2 BRA LATE
EARLY:
    SYNCS.ARRIVE RD1, [0x10]
ASK:
    PHASECHK.64 P0, [0x10], RD1
@!P0 BRA ASK
GO:
    LDS R1, [0x20]
    RET
LATE:
    MOV R2, 42
    STS [0x20], R2
    SYNCS.ARRIVE RZ, [0x10]
    MOV R1, 42`;

  it("wait for threads of their own warp and of a later one, whatever the order", () => {
    for (const schedule of ["lowest", "highest"] as const) {
      const { status, returns } = run(`.func f() -> R1\nBB0:${LATE}\n    RET\n`, { threads: 64, fuel: 5_000, schedule });
      expect([status, ...returns[0]!.lo]).toEqual(["ok", ...Array.from({ length: 64 }, () => 42)]);
    }
  });

  it("hear no, and go on, where nobody else can go on", () => {
    expect(
      resultsOf(
        "    SYNCS.INIT RZ, [0x10], 2\n    SYNCS.ARRIVE RZ, [0x10]\n    PHASECHK P0, [0x10], 0\n    SYNCS.ARRIVE RZ, [0x10]\n    PHASECHK P1, [0x10], 0",
        "P0, P1",
      ).flat(),
    ).toEqual([0, 1]);
  });

  it("spin until the fuel is spent where nobody ever arrives", () => {
    expect(trap("    SYNCS.INIT RZ, [0x10], 1\nASK:\n    PHASECHK P0, [0x10], 0\n@!P0 BRA ASK\nEND:")).toBe("fuel: the fuel ran out");
  });
});
