/** What a command is, and its help text. */

import type { Args, ArgumentSpec, OptionSpec } from "./args.ts";
import type { ExitCode, Io } from "./io.ts";

export interface Command extends ArgumentSpec {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** More for `--help`, one line each. */
  readonly notes?: readonly string[];
  readonly run: (args: Args, io: Io) => ExitCode | Promise<ExitCode>;
}

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: "json", doc: "Print one JSON value." },
  { name: "help", short: "h", doc: "Print this help." },
];

export function usageLine(command: Command): string {
  return ["oriscope", command.name, ...command.positionals, command.options.length > 0 ? "[OPTIONS]" : ""]
    .filter((w) => w !== "")
    .join(" ");
}

export function helpText(command: Command): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  const left = options.map(spelling);
  const width = Math.max(...left.map((text) => text.length));
  const rows = options.map((option, i) => `  ${(left[i] ?? "").padEnd(width)}  ${option.doc}`);
  const notes = command.notes === undefined ? [] : ["", ...command.notes];
  return `${[`Usage: ${usageLine(command)}`, "", command.summary, ...notes, "", "Options:", ...rows].join("\n")}\n`;
}

function spelling({ name, short, value, oneOf, many }: OptionSpec): string {
  const shown = oneOf === undefined ? value : oneOf.join("|");
  const long = `--${name}${shown === undefined ? "" : ` ${shown}`}${many === true ? " …" : ""}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}
