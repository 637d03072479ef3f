/** Where Back and Forward lead, however fast they are pressed. */

import { expect, it } from "vitest";
import { nextWalk, type Walk, type WalkEvent } from "./walk-state.ts";

const SHOWN = { kind: "shown" } as const;
const ENDED = { kind: "ended" } as const;
const go = (to: number, link = false): WalkEvent => ({ kind: "go", to, link });

/** The states that these events lead through, from the fourth program on: the entry that is open, and what is on its way to where. */
function through(...events: readonly WalkEvent[]): string {
  let walk: Walk = { kind: "there", at: 3 };
  const states = events.map((event) => {
    walk = nextWalk(walk, event);
    if (walk.kind === "opening") return `${walk.at}(${walk.entry === walk.to ? "" : `${walk.entry}>`}${walk.to}${walk.link ? "#" : ""})`;
    return walk.kind === "link" ? `${walk.at}(#${walk.to})` : String(walk.at);
  });
  return states.join(" ");
}

it("gives the first program the entry of the page, and each later one its own", () => {
  expect(nextWalk({ kind: "start", at: 2 }, SHOWN)).toEqual({ kind: "there", at: 2 });
  expect(through(SHOWN, SHOWN)).toBe("4 5");
});

it("gives what is gone to no new entry, whether it is opened here or by a link in the address", () => {
  expect(through(go(2), SHOWN, ENDED, SHOWN)).toBe("3(2) 2(2) 2 3");
  expect(through(go(1, true), SHOWN, SHOWN)).toBe("3(#1) 1 2");
  expect(through(go(3))).toBe("3");
});

it("opens the last of several presses, after the one that is being opened", () => {
  expect(through(go(2), go(1), SHOWN, ENDED, SHOWN, ENDED)).toBe("3(2) 3(2>1) 2(2>1) 2(1) 1(1) 1");
  expect(through(go(2), go(3), SHOWN, ENDED, SHOWN, ENDED)).toBe("3(2) 3(2>3) 2(2>3) 2(3) 3(3) 3");
  expect(through(go(2), go(1, true), SHOWN, ENDED, SHOWN)).toBe("3(2) 3(2>1#) 2(2>1#) 2(#1) 1");
});

it("is at an entry whose program cannot be had, unless it was only passed by", () => {
  expect(through(go(2), ENDED, SHOWN)).toBe("3(2) 2 3");
  expect(through(go(2), go(1), ENDED, SHOWN, ENDED)).toBe("3(2) 3(2>1) 3(1) 1(1) 1");
});
