import { describe, expect, it } from "vitest";
import { inTheWordsOf, isLate } from "./late.ts";
import { processCost } from "./process-cost.ts";

describe("a pass whose time was over", () => {
  it("is known by whoever ended it", () => {
    const said = "The pass did not end within 6000 ms.";
    expect(isLate({ ended: "time", message: said })).toBe(true);
    expect(isLate({ ended: "memory", message: "The pass took more than 256 MB of memory." })).toBe(false);
    expect(isLate({ failed: { message: said, line: 3 } })).toBe(true);
    expect(isLate({ text: "", thrown: { message: said, line: 3 } })).toBe(true);
    expect(isLate({ text: "", thrown: { message: "no such block", line: 3 } })).toBe(false);
    expect(isLate({ blocks: {} })).toBe(false);
  });

  it("is told of in the same words however often it was given more time", () => {
    expect(inTheWordsOf(2000, { thrown: { message: "The pass did not end within 6000 ms.", line: 3 } })).toEqual({
      thrown: { message: "The pass did not end within 2000 ms.", line: 3 },
    });
  });
});

describe("what a process has taken", () => {
  it.runIf(process.platform === "linux")("is read from the system", () => {
    const before = processCost(process.pid);
    for (const until = process.cpuUsage().user + 100_000; process.cpuUsage().user < until; );
    const after = processCost(process.pid);
    expect(before?.memory).toBeGreaterThan(1024 * 1024);
    expect((after?.cpu ?? 0) - (before?.cpu ?? 0)).toBeGreaterThanOrEqual(50);
    expect(processCost(2 ** 30)).toBeNull();
  });
});
