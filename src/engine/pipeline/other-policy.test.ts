import { expect, test } from "vitest";
import { instId } from "../ir/ids.ts";
import type { Facts, Focus } from "../trace/event.ts";
import { HeardDecisions } from "./other-policy.ts";

/** A decision about an instruction. */
const decided = (verdict: "yes" | "no", inst: number): readonly [facts: Facts, focus: Focus] => [{ verdict }, { insts: [instId(inst)] }];

const hear = (heard: HeardDecisions, verdict: "yes" | "no", inst: number): void =>
  heard.recorder.event("cost", 1, "It is weighed", ...decided(verdict, inst));
const beside = (heard: HeardDecisions, inst: number): Facts | null => heard.beside("cost", 1, ...decided("yes", inst));

test("a decision that the other run takes otherwise has its answer; one that it does not come to says so", () => {
  const heard = new HeardDecisions("measured");
  hear(heard, "no", 7);
  expect(beside(heard, 7)).toMatchObject({ otherVerdict: "no" });
  expect(beside(heard, 8)).toMatchObject({ otherVerdict: "none" });
});

test("a run of which the end is not heard goes on without a recorder, and nothing is said of what it may come to later", () => {
  const heard = new HeardDecisions("measured", 1);
  expect(heard.recorder.on).toBe(true);
  hear(heard, "no", 7);
  expect(heard.recorder.on).toBe(false);
  hear(heard, "yes", 8);
  expect(beside(heard, 7)).toMatchObject({ otherVerdict: "no" });
  expect(beside(heard, 8)).toBeNull();
});
