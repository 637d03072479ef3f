/** What a random program may contain, and the named presets for fuzzing one phase at a time. */

export interface Features {
  readonly floats: boolean;
  readonly longs: boolean;
  readonly memory: boolean;
  readonly local: boolean;
  readonly shared: boolean;
  readonly warp: boolean;
  readonly barriers: boolean;
  readonly guards: boolean;
  readonly opaque: boolean;
  readonly phis: boolean;
  readonly regions: boolean;
  readonly exits: boolean;
  readonly calls: boolean;
  readonly atomics: boolean;
  /** Masks, address spaces, asynchronous copies, products of the whole warp, votes at barriers. */
  readonly wider: boolean;
  /** Warp instructions, often, wherever lanes may be diverged. */
  readonly apart: boolean;
  /** Calls, constant banks, generic addresses, barrier objects, threads that are killed. */
  readonly beyond: boolean;
}

/** How often each construct is chosen; relative weights. */
export interface Weights {
  readonly straight: number;
  readonly diamond: number;
  readonly triangle: number;
  readonly nest: number;
  readonly chain: number;
  readonly loop: number;
  readonly tails: number;
  readonly table: number;
  readonly copies: number;
  readonly redundant: number;
  readonly exit: number;
  /** Regions whose lanes leave, reconverge and wait in unusual ways, and several paths to one block. */
  readonly region: number;
  readonly ways: number;
  /** Loads, guards and warp instructions that look as if they could be moved or merged. */
  readonly effects: number;
}

/** The profiles that seeds draw from: a longer list would give each seed a different program. */
export const PROFILES = [
  "any",
  "switch",
  "nest",
  "diamond",
  "copies",
  "redundant",
  "tails",
  "irreducible",
  "lanes",
  "tangle",
  "effects",
  "large",
] as const;

/** These, and the profiles that are used only where they are named. */
export const ALL_PROFILES = [...PROFILES, "wide"] as const;
export type Profile = (typeof ALL_PROFILES)[number];

export function isProfile(text: string): text is Profile {
  return (ALL_PROFILES as readonly string[]).includes(text);
}

export interface Plan {
  readonly features: Features;
  readonly weights: Weights;
  /** Random edges instead of nested constructs. */
  readonly irreducible: boolean;
  /** Multiplies the requested size. */
  readonly scale: number;
}

const ALL: Features = {
  floats: true,
  longs: true,
  memory: true,
  local: true,
  shared: true,
  warp: true,
  barriers: true,
  guards: true,
  opaque: true,
  phis: true,
  regions: true,
  exits: true,
  calls: true,
  atomics: true,
  wider: true,
  apart: false,
  beyond: false,
};

const LEAN: Features = { ...ALL, warp: false, barriers: false, calls: false, atomics: false, shared: false };

const EVEN: Weights = {
  straight: 6,
  diamond: 3,
  triangle: 3,
  nest: 3,
  chain: 2,
  loop: 3,
  tails: 1,
  table: 1,
  copies: 1,
  redundant: 2,
  exit: 0.5,
  region: 0,
  ways: 0,
  effects: 0,
};

const NONE: Weights = {
  straight: 3,
  diamond: 0,
  triangle: 0,
  nest: 0,
  chain: 0,
  loop: 0,
  tails: 0,
  table: 0,
  copies: 0,
  redundant: 0,
  exit: 0,
  region: 0,
  ways: 0,
  effects: 0,
};

/** Lanes may be diverged anywhere, so there are no barriers, which would wait for ever. Few other features, so that programs are small. */
const APART: Features = {
  ...ALL,
  apart: true,
  barriers: false,
  calls: false,
  atomics: false,
  shared: false,
  floats: false,
  longs: false,
  local: false,
};

const LANES: Weights = {
  ...NONE,
  straight: 0.7,
  diamond: 1,
  triangle: 1,
  nest: 1,
  chain: 0.7,
  loop: 1,
  tails: 0.5,
  table: 0.5,
  exit: 0.3,
  region: 5,
  ways: 12,
};

export function planOf(profile: Profile): Plan {
  const plan = { features: ALL, weights: EVEN, irreducible: false, scale: 1 };
  switch (profile) {
    case "any":
      return plan;
    case "switch":
      return { ...plan, features: LEAN, weights: { ...NONE, chain: 8, triangle: 1, loop: 1, table: 1 } };
    case "nest":
      return { ...plan, features: LEAN, weights: { ...NONE, nest: 8, triangle: 1, diamond: 1, loop: 1 } };
    case "diamond":
      return { ...plan, features: LEAN, weights: { ...NONE, diamond: 6, triangle: 6, loop: 1 } };
    case "copies":
      return { ...plan, features: LEAN, weights: { ...NONE, copies: 8, diamond: 1, triangle: 1, loop: 2, chain: 1 } };
    case "redundant":
      return { ...plan, weights: { ...NONE, redundant: 8, diamond: 2, triangle: 2, loop: 2 } };
    case "tails":
      return { ...plan, features: { ...LEAN, phis: false, regions: false }, weights: { ...NONE, tails: 8, diamond: 1, loop: 1, exit: 1 } };
    case "irreducible":
      return { ...plan, features: { ...LEAN, regions: false }, irreducible: true };
    case "lanes":
      return { ...plan, features: APART, weights: LANES, scale: 1 };
    case "tangle":
      return { ...plan, features: { ...APART, phis: false }, irreducible: true, scale: 0.7 };
    case "effects":
      return { ...plan, features: { ...ALL, barriers: false }, weights: { ...NONE, effects: 8, redundant: 1, diamond: 1, loop: 1 } };
    case "wide":
      return { ...plan, features: { ...ALL, beyond: true } };
    case "large":
      return { ...plan, scale: 8 };
  }
}
