import { describe, expect, it } from "vitest";
import { phaseRun } from "../../../../app/testing/phase-run.ts";
import type { PhaseRun } from "../../../../engine/api/types.ts";
import { type Carried, type CarryTarget, carried, interventionOf, orderNow, orderOf, sayTarget, targetAfter, targetsOf } from "./places.ts";

const PHASES = ["a", "b", "c", "d"].map((id, run) => phaseRun({ run, address: `r${run}`, phase: run + 1, id, name: id }));

function pick(phases: readonly PhaseRun[], run: number): Carried {
  const found = carried(phases, run);
  if (found === null) throw new Error("it cannot be carried");
  return found;
}

describe("a phase that is carried", () => {
  const b = pick(PHASES, 1);

  it.each<[CarryTarget, string | null, string[], string]>([
    [{ kind: "move", place: 0 }, "r1 before r0", ["b", "a", "c", "d"], "b moves before 1 a"],
    [{ kind: "move", place: 1 }, null, ["a", "b", "c", "d"], "b stays where it is"],
    [{ kind: "move", place: 2 }, "r1 before r3", ["a", "c", "b", "d"], "b moves before 4 d"],
    [{ kind: "move", place: 3 }, "r1 after r3", ["a", "c", "d", "b"], "b moves after 4 d"],
    [{ kind: "again", place: 0 }, "b before r0", ["b", "a", "b", "c", "d"], "b runs again before 1 a"],
    [{ kind: "again", place: 3 }, "b after r3", ["a", "b", "c", "d", "b"], "b runs again after 4 d"],
    [{ kind: "out" }, "r1", ["a", "c", "d"], "b is left out"],
  ])("%j", (target, intervention, order, words) => {
    const made = interventionOf(b, target);
    const text =
      made === null
        ? null
        : made.kind === "leave-out"
          ? made.run
          : made.kind === "move"
            ? `${made.run} ${at(made)}`
            : made.kind === "insert"
              ? `${made.id} ${at(made)}`
              : "?";
    expect(text).toBe(intervention);
    expect(orderOf(b, target)).toEqual(order);
    expect(sayTarget(b, target)).toBe(words);
  });

  it("goes where a key takes it, and no further than the ends", () => {
    const home: CarryTarget = { kind: "move", place: b.home };
    const keyed = (target: CarryTarget, ...keys: string[]) => keys.reduce<CarryTarget>((t, key) => targetAfter(b, t, key) ?? t, target);
    expect(keyed(home, "ArrowLeft", "ArrowLeft")).toEqual({ kind: "move", place: 0 });
    expect(keyed(home, "+", "End", "ArrowRight")).toEqual({ kind: "again", place: 3 });
    expect(keyed(home, "Delete", "ArrowRight")).toEqual({ kind: "move", place: b.home + 1 });
    expect(keyed(home, "Insert", "+", "Home")).toEqual({ kind: "move", place: 0 });
    expect(targetAfter(b, home, "Enter")).toBeNull();
  });

  it("every place is there once for each kind", () => {
    expect(targetsOf(b)).toHaveLength(9);
    expect(orderNow(b)).toEqual(["a", "b", "c", "d"]);
  });

  it("one that was left out is put in again", () => {
    const out = PHASES.map((p) => (p.id === "b" ? { ...p, ran: false, reason: "left out" } : p));
    const found = pick(out, 1);
    expect(orderNow(found)).toEqual(["a", "c", "d"]);
    expect(interventionOf(found, { kind: "move", place: 1 })).toEqual({ kind: "insert", id: "b", at: { side: "before", run: "r2" } });
    expect(interventionOf(found, { kind: "out" })).toBeNull();
    // A phase that is left out is not a neighbour.
    expect(pick(out, 0).others.map((p) => p.id)).toEqual(["c", "d"]);
  });

  it("one that is not modelled stays", () => {
    expect(
      carried(
        PHASES.map((p) => ({ ...p, modelled: false })),
        1,
      ),
    ).toBeNull();
  });
});

const at = ({ at: { side, run } }: { readonly at: { readonly side: string; readonly run: string } }): string => `${side} ${run}`;
