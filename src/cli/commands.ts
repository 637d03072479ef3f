/** The one explicit list of commands, each loaded on first use. Adding one is one file and one line here. */

import type { Command } from "./command.ts";

/** By name, in the order of `--help`. */
const COMMANDS = {
  phases: () => import("./commands/phases.ts").then((m) => m.phasesCommand),
  knobs: () => import("./commands/knobs.ts").then((m) => m.knobsCommand),
  run: () => import("./commands/run.ts").then((m) => m.runCommand),
  analyze: () => import("./commands/analyze.ts").then((m) => m.analyzeCommand),
  trace: () => import("./commands/trace.ts").then((m) => m.traceCommand),
  export: () => import("./commands/export.ts").then((m) => m.exportCommand),
  exec: () => import("./commands/exec.ts").then((m) => m.execCommand),
  import: () => import("./commands/import.ts").then((m) => m.importCommand),
  check: () => import("./commands/check.ts").then((m) => m.checkCommand),
  bisect: () => import("./commands/bisect.ts").then((m) => m.bisectCommand),
  conditions: () => import("./commands/conditions.ts").then((m) => m.conditionsCommand),
  need: () => import("./commands/need.ts").then((m) => m.needCommand),
  watch: () => import("./commands/watch.ts").then((m) => m.watchCommand),
  align: () => import("./commands/align.ts").then((m) => m.alignCommand),
  lab: () => import("./commands/lab.ts").then((m) => m.labCommand),
  grade: () => import("./commands/grade.ts").then((m) => m.gradeCommand),
  link: () => import("./commands/link.ts").then((m) => m.linkCommand),
  unlink: () => import("./commands/unlink.ts").then((m) => m.unlinkCommand),
  mcp: () => import("./commands/mcp.ts").then((m) => m.mcpCommand),
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** null: there is no such command. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS]() : null;
}

export const allCommands = (): Promise<readonly Command[]> => Promise.all(Object.values(COMMANDS).map((load) => load()));
