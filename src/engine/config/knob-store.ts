/** Typed access to knob values for passes: every knob read and every refused budget is reported to the recorder. */

import { type Line, lineOf } from "../remark/rules.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { KnobSettings } from "./knob-parse.ts";
import type { KnobValue } from "./knob-row.ts";
import {
  type BudgetKey,
  type DoubleKey,
  type FlagKey,
  type IntKey,
  type KnobKey,
  knobLabel,
  knobOf,
  type OptionalIntKey,
} from "./knobs.ts";

/**
 * What a pass reads knobs through. The first read of a knob emits a `knob` event at `line` (the reader's default line when left out); later
 * reads of the same knob are silent, so that a read in a loop costs one step.
 */
export interface KnobReader {
  flag(key: FlagKey, line?: Line): boolean;
  int(key: IntKey, line?: Line): number;
  /** An integer that may be unset. */
  optionalInt(key: OptionalIntKey, line?: Line): number | null;
  double(key: DoubleKey, line?: Line): number;
  /** A fresh budget: the count starts at 0 with each call. Take one per run of a phase. */
  budget(key: BudgetKey, line?: Line): Budget;
}

/** Counts rewrites against a limit. */
export interface Budget {
  /** null: unbounded. */
  readonly limit: number | null;
  /** How often `take` has granted. */
  readonly spent: number;
  /** Counts one and returns true; false when the limit is reached. The first refusal emits a `budget` event. */
  take(line?: Line): boolean;
}

/** The value of a knob: the setting, else the default. */
export function knobValue(settings: KnobSettings, key: KnobKey): KnobValue {
  const set = settings[key];
  return set === undefined ? knobOf(key).default : set;
}

/** Makes a reader for one run of a phase. `line` is the pseudocode line of events that give none. */
export function createKnobReader(settings: KnobSettings, rec: Recorder, line = 1): KnobReader {
  const announced = new Set<KnobKey>();
  const read = (key: KnobKey, at: Line): KnobValue => {
    const value = knobValue(settings, key);
    if (rec.on && !announced.has(key)) {
      announced.add(key);
      announce(rec, key, value, at, settings[key] !== undefined);
    }
    return value;
  };
  return {
    flag: (key, at = line) => truth(key, read(key, at)),
    int: (key, at = line) => numeric(key, read(key, at)),
    optionalInt: (key, at = line) => optional(read(key, at)),
    double: (key, at = line) => numeric(key, read(key, at)),
    budget: (key, at = line) => createBudget(key, optional(read(key, at)), rec, at),
  };
}

const optional = (value: KnobValue): number | null => (typeof value === "number" ? value : null);

/** Settings written by hand or by an old link may contain a value of the wrong type: the default replaces it. */
const truth = (key: KnobKey, value: KnobValue): boolean => (typeof value === "boolean" ? value : knobOf(key).default === true);

function numeric(key: KnobKey, value: KnobValue): number {
  if (typeof value === "number") return value;
  const fallback = knobOf(key).default;
  return typeof fallback === "number" ? fallback : 0;
}

function announce(rec: Recorder, key: KnobKey, value: KnobValue, line: Line, set: boolean): void {
  const knob = knobOf(key);
  const unset = knob.type === "budget" ? "unbounded" : "unset";
  rec.event("knob", lineOf(line), "{name} is {shown} ({origin})", {
    knob: key,
    name: knobLabel(knob),
    index: knob.index,
    value,
    shown: value === null ? unset : typeof value === "boolean" ? (value ? "on" : "off") : value,
    origin: set ? "set" : "default",
  });
}

function createBudget(key: BudgetKey, limit: number | null, rec: Recorder, line: Line): Budget {
  let spent = 0;
  let refused = false;
  return {
    limit,
    get spent() {
      return spent;
    },
    take(at = line) {
      if (limit === null || spent < limit) {
        spent += 1;
        return true;
      }
      if (rec.on && !refused) {
        refused = true;
        rec.event("budget", lineOf(at), "{name} is spent: {spent} of {limit}", { knob: key, name: knobLabel(knobOf(key)), spent, limit });
      }
      return false;
    },
  };
}
