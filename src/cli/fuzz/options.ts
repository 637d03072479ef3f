/** The arguments of `npm run fuzz`. */

import { FUZZ_POLICIES, FUZZ_PROFILES } from "../../engine/api/exec/fuzz.ts";
import { DAMAGED } from "../../features/damaged.ts";

export const USAGE = `usage: npm run fuzz -- [options]
  --count N      programs to try (default 200)
  --checks N     continue until N checks are made, ignoring --count
  --seconds N    stop after N seconds
  --seed S       seed of the first program; the following programs use the following seeds (default: from the clock)
  --shard I/N    only every N-th program, starting with the I-th; the N shards of one seed and count are the whole run
  --jobs J       processes (default 1)
  --phase P      only this phase (number, id or name), or several separated by commas; default: every position and sub-pass, and the whole pipeline
  --profile X    only programs of these kinds, separated by commas: ${FUZZ_PROFILES.join(", ")}
  --inputs N     inputs per program (default 6)
  --target T     only this target (default: drawn from the seed)
  --policy P     only this policy, ${FUZZ_POLICIES.join(" or ")} (default: both, for phases that depend on it)
  --knob N=V     a knob to set; may be repeated (default: some of those that a phase reads, drawn from the seed)
  --drop R       a condition, by the name of its reason, that phases ignore; may be repeated. Failures are then expected
  --size N       size of the programs (default: drawn from the seed)
  --every-law    all laws on every check; by default the expensive ones run on some checks only
  --no-drawn     only the laws checked on every result, such as the verifier and equivalence, and none of those drawn at random
  --subsets N    refuse N random sets of rewrites for each phase and program
  --no-trace     do not record and replay
  --no-shrink    do not minimize failures
  --quiet        do not print the table at the end
  --stop         stop at the first failure
  --out DIR      folder for failing programs (default fuzz-failures)
  --report FILE  write the counts as JSON, every minute and at the end
  --merge FILE   add up reports and print the sum; may be repeated; runs nothing
  --mutate KIND  test damaged inputs instead of programs: ${Object.keys(DAMAGED).join(", ")}. Accepts --count, --seed, --shard, --jobs, --seconds, --out and --report`;

const NUMBERS = ["count", "checks", "seconds", "seed", "inputs", "size", "jobs", "subsets"] as const;
const WORDS = ["phase", "profile", "target", "policy", "out", "report", "shard", "mutate"] as const;
const SWITCHES = ["every-law", "no-trace", "no-drawn", "no-shrink", "stop", "quiet"] as const;
const LISTS = ["knob", "drop", "merge"] as const;

/** The I-th of N parts, from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface Options {
  readonly numbers: Partial<Record<(typeof NUMBERS)[number], number>>;
  readonly words: Partial<Record<(typeof WORDS)[number], string>>;
  readonly switches: ReadonlySet<(typeof SWITCHES)[number]>;
  readonly lists: Readonly<Record<(typeof LISTS)[number], readonly string[]>>;
  readonly shard: Shard;
}

function isOneOf<T extends string>(names: readonly T[], word: string): word is T {
  return (names as readonly string[]).includes(word);
}

/** The options, or what is wrong with them. */
export function readOptions(argv: readonly string[]): Options | string {
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  const words: Partial<Record<(typeof WORDS)[number], string>> = {};
  const switches = new Set<(typeof SWITCHES)[number]>();
  const lists = { knob: [] as string[], drop: [] as string[], merge: [] as string[] };
  for (let i = 0; i < argv.length; i++) {
    const [option, inline] = splitOption(argv[i] ?? "");
    const name = option.startsWith("--") ? option.slice(2) : "";
    if (isOneOf(SWITCHES, name)) {
      switches.add(name);
      continue;
    }
    if (!isOneOf(NUMBERS, name) && !isOneOf(WORDS, name) && !isOneOf(LISTS, name)) return `unknown option ${option}`;
    const value = inline ?? argv[++i];
    if (value === undefined) return `${option} takes a value`;
    if (isOneOf(NUMBERS, name)) {
      const number = Number(value);
      if (!Number.isSafeInteger(number) || number < 0) return `${option} takes an integer`;
      numbers[name] = number;
    } else if (isOneOf(WORDS, name)) words[name] = value;
    else lists[name].push(value);
  }
  const shard = readShard(words.shard);
  return typeof shard === "string" ? shard : { numbers, words, switches, lists, shard };
}

function readShard(text: string | undefined): Shard | string {
  if (text === undefined) return { index: 1, of: 1 };
  const found = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, of] = [Number(found?.[1]), Number(found?.[2])];
  return found !== null && index >= 1 && index <= of ? { index, of } : "--shard takes I/N with I from 1 to N";
}

/** `--name=value` in two; of a knob only the option's own sign counts. */
function splitOption(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** The arguments of one of several processes: the same, with its own shard and report. */
export function jobArguments(argv: readonly string[], job: number, o: Options, report: string): string[] {
  const own = new Set(["--shard", "--jobs", "--report", "--checks", "--seed"]);
  const rest = argv.filter((word, i) => !own.has(splitOption(word)[0]) && !(i > 0 && own.has(argv[i - 1] ?? "")));
  const jobs = o.numbers.jobs ?? 1;
  const { index, of } = o.shard;
  const shard = `${index + of * job}/${of * jobs}`;
  const { checks, seed } = o.numbers;
  const limit = checks === undefined ? [] : ["--checks", String(Math.ceil(checks / jobs))];
  return [...rest, "--quiet", "--shard", shard, "--report", report, "--seed", String(seed ?? 0), ...limit];
}
