/** When changes are saved. */

import { expect, it } from "vitest";
import { EMPTY_LINK } from "../../links/link-data.ts";
import { initialState } from "../session/feature.ts";
import { nextProgram, opened, type ProgramEvent, pauseOf } from "./open-program.ts";

const PROGRAM = opened(initialState([]), false);
type Change = Extract<ProgramEvent, { kind: "change" }>;
const change = (part: Partial<Change>): Change => ({
  kind: "change",
  now: 0,
  text: "EXIT",
  texts: [],
  made: true,
  file: false,
  long: false,
  settled: true,
  ...part,
});
const PAUSE = { kind: "pause" } as const;
const LOST = { kind: "lost", now: 0, alone: true } as const;
const ARRIVES = { kind: "reopened", arriving: EMPTY_LINK } as const;
const ANSWERED = { kind: "answered" } as const;
const key = change({ texts: [0] });
const longKey = change({ texts: [0], long: true });

/** The states that these events lead through; what is due is saved. */
function through(...events: readonly ProgramEvent[]): string {
  let open = PROGRAM;
  const states = events.map((event) => {
    open = nextProgram(open, event);
    const { state } = open;
    if (state === "due") open = nextProgram(open, { kind: "saved" });
    return state;
  });
  return states.join(" ");
}

it("saves a short text at every key, and a step in a pause", () => {
  expect(through(key, key, change({}), PAUSE, PAUSE)).toBe("due due changed due saved");
});

it("saves of a long text the first key, then in each pause; another text's at once", () => {
  const other = change({ texts: [1], long: true });
  expect(through(longKey, longKey, change({}), PAUSE, longKey, other, other)).toBe("due typed typed due due due typed");
});

it("saves a file at once, and nothing of a program that only arrives", () => {
  expect(through(change({ file: true, made: false, texts: [0] }))).toBe("due");
  expect(through(ARRIVES, change({ made: false, texts: [0], settled: false }), ANSWERED, PAUSE)).toBe("saved saved saved saved");
});

it("saves nothing before it is known whether this tab may, and remembers that something was typed", () => {
  expect(through(ARRIVES, key, change({}), PAUSE, LOST, ANSWERED, PAUSE)).toBe("saved typed typed typed typed typed due");
});

it("saves what storages have lost", () => {
  expect(through(LOST)).toBe("due");
});

it("waits for a pause, but not for long", () => {
  const typed = nextProgram({ ...PROGRAM, hot: 0 }, { ...longKey, now: 1_000 });
  expect([1_000, 2_700, 9_000].map((now) => pauseOf(typed, now, 30_000))).toEqual([400, 300, 0]);
  expect(pauseOf(typed, 9_000, 300_000)).toBe(400);
  expect(pauseOf(nextProgram(typed, ARRIVES), 1_000, 30_000)).toBeNull();
  expect(pauseOf(PROGRAM, 0, 0)).toBeNull();
});
