/** The arguments of `npm run fuzz`. */

import { FUZZ_POLICIES, FUZZ_PROFILES } from "../../engine/api/fuzz.ts";

export const USAGE = `usage: npm run fuzz -- [options]
  --count N      programs to try (default 200)
  --checks N     go on until N checks are made, whatever the count
  --seconds N    stop after so many seconds
  --seed S       seed of the first program; the next ones count on from it (default: from the clock)
  --shard I/N    only every N-th program, beginning with the I-th: shards of one seed and count make up the whole
  --jobs J       processes (default 1)
  --phase P      only this phase (number, id or name), or several with commas between; default: every position and sub-pass, and the whole pipeline
  --profile X    only programs of these kinds, several with commas between: ${FUZZ_PROFILES.join(", ")}
  --inputs N     inputs per program (default 6)
  --target T     only this target (default: drawn from the seed)
  --policy P     only this policy, ${FUZZ_POLICIES.join(" or ")} (default: both, where a phase asks for it)
  --knob N=V     a knob to set; may be repeated (default: some of those that a phase reads, drawn from the seed)
  --drop R       a condition, by its reason's name, that phases take for granted; may be repeated. Failures are to be found then
  --size N       size of the programs (default: drawn from the seed)
  --every-law    all laws on every check; by default the costly ones on some
  --no-drawn     none of the laws that are drawn: only what every result is held to, such as the verifier and the meaning
  --subsets N    about refused rewrites: N random sets of them for each phase and program
  --no-trace     leave out recording and replaying
  --no-shrink    write failures as they are found
  --quiet        no table at the end
  --stop         stop at the first failure
  --out DIR      where failing programs are written (default fuzz-failures)
  --report FILE  the counts as JSON, written every minute and at the end
  --merge FILE   add up reports and print them; may be repeated, runs nothing
  --mutate KIND  damaged inputs instead of programs: texts, links, labs or hand-ins. Takes --count, --seed, --shard, --jobs, --seconds, --out and --report`;

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
      if (!Number.isSafeInteger(number) || number < 0) return `${option} takes a whole number`;
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

/** The arguments of one process of several: the same ones with a shard and a report of its own. */
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
