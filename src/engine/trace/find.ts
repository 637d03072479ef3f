/** The transport commands: the next or previous step at which a command or a breakpoint stops. */

import { conditionTest, parseCondition } from "./condition.ts";
import type { EventKind } from "./kinds.ts";
import { type StepTest, type TraceSubject, touches } from "./subject.ts";
import { kindIndex } from "./tape.ts";
import type { Trace } from "./trace.ts";

export type TraceBreakpoint =
  | { readonly kind: "subject"; readonly subject: TraceSubject }
  | { readonly kind: "event"; readonly event: EventKind }
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "condition"; readonly text: string }
  /** The steps were found before: `watch/`. */
  | { readonly kind: "watch"; readonly steps: ReadonlySet<number> };

export type Transport =
  | { readonly kind: "into" | "over" | "out" | "change" | "breakpoint" | "end" }
  | { readonly kind: "event"; readonly event: EventKind }
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "object"; readonly subject: TraceSubject };

/**
 * The step at which a command stops, going from `from` (-1: before the first event) in a direction; null when there is none.
 * Backwards, `into`, `over`, `out` and `end` may lead to -1, the phase's input.
 */
export function findStep(
  trace: Trace,
  from: number,
  direction: 1 | -1,
  command: Transport,
  breakpoints: readonly TraceBreakpoint[],
): number | null {
  const last = trace.steps - 1;
  const start = Math.max(-1, Math.min(from, last));
  switch (command.kind) {
    case "into":
      return within(start + direction, last);
    case "end":
      return direction === 1 ? within(last === start ? last + 1 : last, last) : start === -1 ? null : -1;
    case "over":
      return byDepth(trace, start, direction, 0);
    case "out":
      return byDepth(trace, start, direction, 1);
    case "change":
      return search(trace, start, direction, (step) => trace.tape.changes.get(step) === 1);
    case "event":
    case "line":
    case "object":
    case "breakpoint":
      return search(trace, start, direction, testOf(trace, command, breakpoints));
  }
}

/** Every step at which one of the breakpoints stops. */
export function breakpointSteps(trace: Trace, breakpoints: readonly TraceBreakpoint[]): Int32Array {
  const steps: number[] = [];
  if (breakpoints.length > 0) {
    const test = anyOf(breakpoints.map((b) => breakpointTest(trace, b)));
    for (let step = 0; step < trace.steps; step++) if (test(step)) steps.push(step);
  }
  return Int32Array.from(steps);
}

function testOf(
  trace: Trace,
  command: Extract<Transport, { kind: "event" | "line" | "object" }> | { readonly kind: string },
  breakpoints: readonly TraceBreakpoint[],
): StepTest {
  if ("event" in command) return breakpointTest(trace, { kind: "event", event: command.event });
  if ("line" in command) return breakpointTest(trace, { kind: "line", line: command.line });
  if ("subject" in command) return touches(trace, command.subject);
  return anyOf(breakpoints.map((b) => breakpointTest(trace, b)));
}

/** A condition that can't be read stops nowhere. */
function breakpointTest(trace: Trace, breakpoint: TraceBreakpoint): StepTest {
  const { tape } = trace;
  switch (breakpoint.kind) {
    case "subject":
      return touches(trace, breakpoint.subject);
    case "event": {
      const kind = kindIndex(breakpoint.event);
      return (step) => tape.kinds.get(step) === kind;
    }
    case "line": {
      const { line } = breakpoint;
      return (step) => tape.lines.get(step) === line;
    }
    case "condition": {
      const parsed = parseCondition(breakpoint.text);
      return parsed.ok ? conditionTest(trace, parsed.condition) : () => false;
    }
    case "watch": {
      const { steps } = breakpoint;
      return (step) => steps.has(step);
    }
  }
}

const anyOf =
  (tests: readonly StepTest[]): StepTest =>
  (step) =>
    tests.some((test) => test(step));

const within = (step: number, last: number): number | null => (step < -1 || step > last ? null : step);

function search(trace: Trace, from: number, direction: 1 | -1, test: StepTest): number | null {
  for (let step = from + direction; step >= 0 && step < trace.steps; step += direction) if (test(step)) return step;
  return null;
}

/** The nearest step whose depth is at most the current one's minus `up`. */
function byDepth(trace: Trace, from: number, direction: 1 | -1, up: number): number | null {
  if (from === -1) return direction === 1 && trace.steps > 0 ? 0 : null;
  const limit = trace.tape.depths.get(from) - up;
  const found = search(trace, from, direction, (step) => trace.tape.depths.get(step) <= limit);
  return found ?? (direction === -1 ? -1 : null);
}
