import { expect, test } from "vitest";
import { instId } from "../ir/ids.ts";
import { decisionOf } from "../remark/decision.ts";
import type { Facts, Focus } from "../trace/event.ts";
import { HeardDecisions } from "./other-policy.ts";

/** A decision about an instruction. */
const decided = (verdict: "yes" | "no", inst: number): readonly [facts: Facts, focus: Focus] => [{ verdict }, { insts: [instId(inst)] }];

const hear = (heard: HeardDecisions, verdict: "yes" | "no", inst: number): void =>
  heard.recorder.event("cost", 1, "It is weighed", ...decided(verdict, inst));
const beside = (heard: HeardDecisions, inst: number): Facts | null => {
  const own = decisionOf("cost", 1, ...decided("yes", inst));
  return own === null ? null : heard.beside(own, decided("yes", inst)[0]);
};

test("a decision that the other run takes otherwise has its answer; one that it does not come to says so", () => {
  const heard = new HeardDecisions("measured");
  hear(heard, "no", 7);
  expect(beside(heard, 7)).toMatchObject({ otherVerdict: "no" });
  expect(beside(heard, 8)).toMatchObject({ otherVerdict: "none" });
});

test.each([
  ["events", { events: 1, elements: 9 }],
  ["lists", { events: 9, elements: 1 }],
])("a run with more %s than are heard goes on without a recorder, and nothing is said of what it may come to later", (_, most) => {
  const heard = new HeardDecisions("measured", { most });
  expect(heard.recorder.on).toBe(true);
  hear(heard, "no", 7);
  expect(heard.recorder.on).toBe(false);
  hear(heard, "yes", 8);
  expect(beside(heard, 7)).toMatchObject({ otherVerdict: "no" });
  // What would have come is not known.
  expect(beside(heard, 8)).toBeNull();
});

test("beside a recording that was cut, a run is heard as far as it is about the same, and then ended", () => {
  const heard = new HeardDecisions("measured", { wanted: new Set(["inst 7"]), patience: { events: 2, elements: 9 } });
  for (const inst of [8, 7, 8, 8]) hear(heard, "no", inst);
  expect(beside(heard, 7)).toMatchObject({ otherVerdict: "no" });
  expect(() => hear(heard, "no", 7)).toThrow("not listened to");
  // What would have come is not known.
  expect(beside(heard, 8)).toBeNull();
});
