/** Random settings of the knobs that a phase reads: modes, switches, limits and budgets that are soon spent. */

import type { Prng } from "../../base/prng.ts";
import type { KnobSettings } from "../config/knob-parse.ts";
import type { KnobValue } from "../config/knob-row.ts";
import { KNOBS, type Knob } from "../config/knobs.ts";

const SMALL = [0, 1, 2, 3, 4, 5, 6, 8, 16];

/** One or two of the knobs that the phase or sub-pass reads; none when it reads none. */
export function drawKnobs(rng: Prng, id: string): KnobSettings {
  const read = KNOBS.filter((knob) =>
    knob.readBy.some((user) => user === id || (user === "ori-copy-prop" && id.startsWith("general-optimize"))),
  );
  if (read.length === 0) return {};
  const drawn = Array.from({ length: rng.chance(0.7) ? 1 : 2 }, () => rng.pick(read));
  return Object.fromEntries(drawn.map((knob) => [knob.key, drawValue(rng, knob)]));
}

function drawValue(rng: Prng, knob: Knob): KnobValue {
  switch (knob.type) {
    case "flag":
      return knob.default !== true;
    case "int": {
      const words = Object.values(knob.words);
      return words.length > 0 && rng.chance(0.5) ? rng.pick(words) : within(knob, rng.pick(SMALL));
    }
    case "budget":
      return rng.chance(0.2) ? null : within(knob, rng.pick(SMALL));
    case "double":
      return within(knob, rng.pick([0, 0.25, 0.5, 1, 2, 10]));
  }
}

const within = (knob: Knob, value: number): number => Math.min(knob.max ?? value, Math.max(knob.min ?? value, value));
