import { describe, expect, it } from "vitest";
import { placeBuffers } from "./memory.ts";
import { run } from "./testing/eval.ts";

/** Every thread takes a lock, adds one to a counter, and gives the lock back. */
const LOCK = `.func f(lock: R0, count: R1) -> R9
AGAIN:
    ATOM.CAS R2, [R0], 0, 1
    ISETP.NE P0, R2, 0
@P0 BRA AGAIN
HELD:
    LDG.STRONG R3, [R1]
    IADD R3, R3, 1
    STG.STRONG [R1], R3
    MOV R4, 0
    STG.STRONG [R0], R4
    MOV R9, 1
    RET
`
  .replace("[R0], 0, 1", "[R0], R5, R6")
  .replace("AGAIN:\n", "BB0:\n    MOV R5, 0\n    MOV R6, 1\nAGAIN:\n");

function locked(threads: number, independent: boolean) {
  const buffers = placeBuffers([
    { name: "lock", size: 4 },
    { name: "count", size: 4 },
  ]);
  const outcome = run(LOCK, { threads, fuel: 400_000, buffers, args: buffers.map((b) => b.base), independent });
  return { ...outcome, count: buffers[1]!.view.getUint32(0, true) };
}

describe("threads that spin for each other", () => {
  it("run out of fuel where lanes wait for each other, and the message names them", () => {
    const { status, message } = locked(8, false);
    expect(status).toBe("fuel");
    expect(message).toBe("the fuel ran out: lanes 1 to 7 of warp 0 run on in AGAIN, and lane 0 waits for them at HELD");
  });

  it.each([1, 8, 32, 70])("come to an end where threads are independent: %i threads", (threads) => {
    const { status, count, returned } = locked(threads, true);
    expect([status, count, returned.every((did) => did === 1)]).toEqual(["ok", threads, true]);
  });

  it("a warp that spins for a later one ends, too", () => {
    const text = `.func f(flag: R0) -> R9
BB0:
    S2R R1, SR_TID.X
    ISETP.GE P0, R1, 32
@P0 BRA SET
WAIT:
    LDG.STRONG R2, [R0]
    ISETP.EQ P1, R2, 0
@P1 BRA WAIT
    MOV R9, 1
    RET
SET:
    MOV R3, 1
    STG.STRONG [R0], R3
    MOV R9, 2
    RET
`;
    const ended = (independent: boolean) => {
      const buffers = placeBuffers([{ name: "flag", size: 4 }]);
      return run(text, { threads: 64, fuel: 100_000, buffers, args: [buffers[0]!.base], independent }).status;
    };
    expect([ended(false), ended(true)]).toEqual(["fuel", "ok"]);
  });
});
