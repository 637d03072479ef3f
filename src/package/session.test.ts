import { expect, it } from "vitest";
import { openSession } from "./session.ts";

it.each([
  ["a kernel", ".kernel k()\nA:\n    EXIT\n", 32],
  ["a Bril program", "@main {\n  x: int = const 1;\n  print x;\n}\n", 1],
])("runs %s with its usual number of threads", (_, text, usual) => {
  const run = openSession(text).run();
  const instructions = (threads?: number): number => run.exec({}, threads === undefined ? {} : { threads }).counters.laneInstructions;
  expect(instructions()).toBe(instructions(usual));
  expect(instructions()).toBeLessThan(instructions(usual + 1));
});
