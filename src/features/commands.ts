/** The one explicit list of commands, each loaded on first use. Adding one is one file and one line here. */

import type { Command } from "../cli/command.ts";

/** By name, in the order of `--help`. */
const COMMANDS = {
  phases: () => import("../cli/commands/phases.ts").then((m) => m.phasesCommand),
  knobs: () => import("../cli/commands/knobs.ts").then((m) => m.knobsCommand),
  run: () => import("../cli/commands/run.ts").then((m) => m.runCommand),
  analyze: () => import("../cli/commands/analyze.ts").then((m) => m.analyzeCommand),
  trace: () => import("../cli/commands/trace.ts").then((m) => m.traceCommand),
  export: () => import("./publish/cli/export.ts").then((m) => m.exportCommand),
  exec: () => import("../cli/commands/exec.ts").then((m) => m.execCommand),
  import: () => import("../cli/commands/import.ts").then((m) => m.importCommand),
  check: () => import("./ownpass/cli/check.ts").then((m) => m.checkCommand),
  bisect: () => import("./futures/cli/bisect.ts").then((m) => m.bisectCommand),
  conditions: () => import("./futures/cli/conditions.ts").then((m) => m.conditionsCommand),
  need: () => import("./futures/cli/need.ts").then((m) => m.needCommand),
  watch: () => import("../cli/commands/watch.ts").then((m) => m.watchCommand),
  align: () => import("./sass/cli/align.ts").then((m) => m.alignCommand),
  lab: () => import("./labs/cli/lab.ts").then((m) => m.labCommand),
  grade: () => import("./labs/cli/grade.ts").then((m) => m.gradeCommand),
  link: () => import("../cli/commands/link.ts").then((m) => m.linkCommand),
  unlink: () => import("../cli/commands/unlink.ts").then((m) => m.unlinkCommand),
  mcp: () => import("./mcp/cli/mcp.ts").then((m) => m.mcpCommand),
} as const satisfies Readonly<Record<string, () => Promise<Command>>>;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** null: there is no such command. */
export async function loadCommand(name: string): Promise<Command | null> {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS]() : null;
}

export const allCommands = (): Promise<readonly Command[]> => Promise.all(Object.values(COMMANDS).map((load) => load()));
