/** When what was changed is saved. */

import { expect, it } from "vitest";
import { nextUnsaved, pauseOf, SAVED, type Unsaved, type UnsavedEvent } from "./unsaved.ts";

type Change = Extract<UnsavedEvent, { kind: "change" }>;
const change = (part: Partial<Change>): Change => ({
  kind: "change",
  now: 0,
  texts: [],
  made: true,
  file: false,
  long: false,
  arriving: false,
  ...part,
});
const PAUSE = { kind: "pause" } as const;
const key = change({ texts: [0] });
const longKey = change({ texts: [0], long: true });

/** The states that these events lead through; what is due is saved. */
function through(events: readonly UnsavedEvent[], held = false): readonly string[] {
  let unsaved: Unsaved = SAVED;
  return events.map((event) => {
    unsaved = nextUnsaved(unsaved, event, held);
    const { state } = unsaved;
    if (state === "due") unsaved = nextUnsaved(unsaved, { kind: "saved" }, held);
    return state;
  });
}

it("saves a short text at every key, and a step in a pause", () => {
  expect(through([key, key, change({}), PAUSE, PAUSE])).toEqual(["due", "due", "changed", "due", "saved"]);
});

it("saves of a long text the first key, then in each pause; another text's at once", () => {
  const other = change({ texts: [1], long: true });
  expect(through([longKey, longKey, change({}), PAUSE, longKey, other, other])).toEqual([
    "due",
    "typed",
    "typed",
    "due",
    "due",
    "due",
    "typed",
  ]);
});

it("saves a file at once, and nothing of a program that only arrives", () => {
  expect(through([change({ file: true, made: false, texts: [0] })])).toEqual(["due"]);
  expect(through([change({ made: false, texts: [0], arriving: true }), PAUSE])).toEqual(["saved", "saved"]);
});

it("saves nothing before it is known whether this tab may, and remembers that something was typed", () => {
  expect(through([key, change({}), PAUSE, { kind: "lost", now: 0 }], true)).toEqual(["typed", "typed", "typed", "typed"]);
});

it("saves what storages have lost", () => {
  expect(through([{ kind: "lost", now: 0 }])).toEqual(["due"]);
});

it("waits for a pause, but not for long", () => {
  const typed = nextUnsaved({ ...SAVED, hot: 0 }, { ...longKey, now: 1_000 }, false);
  expect([1_000, 2_700, 9_000].map((now) => pauseOf(typed, now, 30_000))).toEqual([400, 300, 0]);
  expect(pauseOf(typed, 9_000, 300_000)).toBe(400);
  expect(pauseOf(SAVED, 0, 0)).toBeNull();
});
