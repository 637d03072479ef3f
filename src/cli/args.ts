/** Parses a command's arguments by its table of options. Our own, so that help and 'did you mean' come from the same table. */

import { closest } from "../base/closest.ts";
import { UsageError } from "./io.ts";

export interface OptionSpec {
  /** Without dashes: `target`. */
  readonly name: string;
  /** One letter: `O` for `-O3` and `-O 3`. */
  readonly short?: string;
  /** Name of the value; absent: a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly many?: boolean;
  /** Accepted values. */
  readonly oneOf?: readonly string[];
  readonly doc: string;
}

export interface ArgumentSpec {
  /** Names of the arguments that must be there, in order. One that ends with ` …` means one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionSpec[];
}

export interface Args {
  /** The words as they were given. */
  readonly argv: readonly string[];
  readonly positionals: readonly string[];
  /** The last value of an option; null when it was not given. */
  value(name: string): string | null;
  /** All values of an option. */
  values(name: string): readonly string[];
  has(name: string): boolean;
  /** A whole number from `min` up; `fallback` when the option was not given. */
  count(name: string, min: number, fallback: number): number;
}

/** Throws a `UsageError` that says what is wrong and, if possible, what was meant. */
export function parseArgs(argv: readonly string[], spec: ArgumentSpec): Args {
  const found = new Map<string, string[]>();
  const positionals: string[] = [];
  let literal = false;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    // `-5` is a number: no option begins with a digit.
    if (literal || word === "-" || !word.startsWith("-") || /^-\.?\d/.test(word)) {
      positionals.push(word);
      continue;
    }
    if (word === "--") {
      literal = true;
      continue;
    }
    const [option, inline] = matchOption(word, spec.options);
    let value = inline;
    if (option.value === undefined && inline !== null) throw new UsageError(`--${option.name} does not take a value`);
    if (option.value !== undefined && value === null) {
      const next = argv[++i];
      if (next === undefined) throw new UsageError(`--${option.name} needs a value: ${option.value}`);
      value = next;
    }
    const values = found.get(option.name) ?? [];
    if (values.length > 0 && option.many !== true) throw new UsageError(`--${option.name} is given more than once`);
    if (option.oneOf !== undefined && value !== null && !option.oneOf.includes(value)) throw new UsageError(notOneOf(option, value));
    found.set(option.name, [...values, value ?? ""]);
  }
  checkPositionals(positionals, spec.positionals);
  return makeArgs(argv, positionals, found);
}

function matchOption(word: string, options: readonly OptionSpec[]): readonly [OptionSpec, string | null] {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    const option = options.find((o) => o.name === name);
    if (option !== undefined) return [option, equals < 0 ? null : word.slice(equals + 1)];
  } else {
    const option = options.find((o) => o.short === word[1]);
    if (option !== undefined) return [option, word.length > 2 ? word.slice(2) : null];
  }
  const guess = closest(
    word.replace(/=.*/s, ""),
    options.map((o) => `--${o.name}`),
  );
  throw new UsageError(`there is no option ${word}${guess === null ? "" : `; did you mean ${guess}?`}`);
}

function notOneOf(option: OptionSpec, value: string): string {
  const guess = closest(value, option.oneOf ?? []);
  return `--${option.name} must be one of ${(option.oneOf ?? []).join(", ")}, not '${value}'${guess === null ? "" : `; did you mean ${guess}?`}`;
}

function checkPositionals(given: readonly string[], wanted: readonly string[]): void {
  const missing = wanted[given.length];
  if (missing !== undefined && !missing.startsWith("[")) throw new UsageError(`${missing} is missing`);
  if (/ …\]?$/.test(wanted.at(-1) ?? "")) return;
  const extra = given[wanted.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'`);
}

function makeArgs(argv: readonly string[], positionals: readonly string[], found: ReadonlyMap<string, readonly string[]>): Args {
  return {
    argv,
    positionals,
    value: (name) => found.get(name)?.at(-1) ?? null,
    values: (name) => found.get(name) ?? [],
    has: (name) => found.has(name),
    count(name, min, fallback) {
      const text = found.get(name)?.at(-1);
      if (text === undefined) return fallback;
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min)) throw new UsageError(`--${name} takes an integer of at least ${min}, not '${text}'`);
      return value;
    },
  };
}
