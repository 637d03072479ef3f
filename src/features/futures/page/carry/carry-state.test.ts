import { describe, expect, it } from "vitest";
import { phaseRun } from "../../../../app/testing/phase-run.ts";
import { type Carry, type CarryEvent, nextCarry, REST } from "./carry-state.ts";
import { type CarryTarget, carried } from "./places.ts";

const PHASES = ["a", "b", "c"].map((id, run) => phaseRun({ run, address: `r${run}`, phase: run + 1, id, name: id }));
const b = carried(PHASES, 1);
if (b === null) throw new Error("it cannot be carried");

const FIRST: CarryTarget = { kind: "move", place: 0 };
const key = (name: string): CarryEvent => ({ kind: "key", key: name, carried: b });
const press = (what: typeof b | null = b): CarryEvent => ({
  kind: "press",
  press: { at: "pressed", pointer: 1, x: 10, y: 10, carried: what },
});
const pull = (x: number, pointer = 1): CarryEvent => ({ kind: "pull", pointer, x, y: 10, aim: () => FIRST });
const RELEASE: CarryEvent = { kind: "release" };
const CLICK: CarryEvent = { kind: "click" };
const LOST: CarryEvent = { kind: "lost" };

const walk = (...events: readonly CarryEvent[]): Carry => events.reduce(nextCarry, REST);
/** What was put down, and whether the next click opens a phase. */
const end = (...events: readonly CarryEvent[]) => {
  const now = walk(...events);
  return now.at === "rest" ? { target: now.dropped?.target ?? null, click: !now.dragged } : now.at;
};

describe("carrying by pointer", () => {
  it("begins where a press has moved far enough, and follows its pointer alone", () => {
    expect(walk(press(), pull(15)).at).toBe("pressed");
    expect(walk(press(), pull(16, 2)).at).toBe("pressed");
    expect(walk(press(), pull(16))).toEqual({ at: "carried", pointer: 1, carried: b, target: FIRST });
    const elsewhere: CarryEvent = { kind: "pull", pointer: 2, x: 90, y: 10, aim: () => ({ kind: "out" }) };
    expect(walk(press(), pull(16), elsewhere)).toMatchObject({ at: "carried", target: FIRST });
  });

  it("puts the phase down where it is released; the click that follows opens no phase, the next one does", () => {
    expect(end(press(), pull(16), RELEASE)).toEqual({ target: FIRST, click: false });
    expect(end(press(), pull(16), RELEASE, LOST)).toEqual({ target: FIRST, click: false });
    expect(end(press(), pull(16), RELEASE, CLICK)).toEqual({ target: null, click: true });
    expect(end(press(), pull(16), RELEASE, press(), RELEASE)).toEqual({ target: null, click: true });
  });

  it("a press that is a press opens its phase", () => {
    expect(end(press(), pull(12), RELEASE)).toEqual({ target: null, click: true });
  });

  it("what is not carried is not opened by a drag either", () => {
    expect(end(press(null), pull(16), RELEASE)).toEqual({ target: null, click: false });
  });

  it("ends with nothing put down where the pointer or the run is lost, or by Escape", () => {
    expect(end(press(), LOST)).toEqual({ target: null, click: true });
    expect(end(press(), pull(16), LOST, RELEASE)).toEqual({ target: null, click: false });
    expect(end(press(), pull(16), key("Escape"), pull(30), RELEASE)).toEqual({ target: null, click: false });
  });
});

describe("carrying by keys", () => {
  it("Space picks the open phase up, the keys move it, Enter or Space puts it down", () => {
    expect(walk(key(" "))).toEqual({ at: "carried", pointer: null, carried: b, target: { kind: "move", place: b.home } });
    expect(end(key(" "), key("Home"), key("Enter"))).toEqual({ target: FIRST, click: true });
    expect(end(key(" "), key("Home"), key("Insert"), key(" "))).toEqual({ target: { kind: "again", place: 0 }, click: true });
    expect(end(key("Delete"))).toEqual({ target: { kind: "out" }, click: true });
  });

  it("Escape and Tab let it go; a pointer that passes or is released does not", () => {
    expect(end(key(" "), key("Home"), key("Escape"))).toEqual({ target: null, click: true });
    expect(end(key(" "), key("Tab"))).toEqual({ target: null, click: true });
    expect(end(key(" "), pull(90), RELEASE, CLICK)).toBe("carried");
    expect(end(key(" "), LOST)).toEqual({ target: null, click: true });
  });

  it("other keys, and a phase that cannot be carried, change nothing", () => {
    expect(walk(key("x"))).toBe(REST);
    expect(nextCarry(REST, { kind: "key", key: " ", carried: null })).toBe(REST);
    const now = walk(key(" "));
    expect(nextCarry(now, key("x"))).toBe(now);
  });
});
