/** The one explicit list of commands. Adding one is one file and one line here. */

import type { Command } from "./command.ts";
import { alignCommand } from "./commands/align.ts";
import { analyzeCommand } from "./commands/analyze.ts";
import { bisectCommand } from "./commands/bisect.ts";
import { checkCommand } from "./commands/check.ts";
import { conditionsCommand } from "./commands/conditions.ts";
import { execCommand } from "./commands/exec.ts";
import { exportCommand } from "./commands/export.ts";
import { gradeCommand } from "./commands/grade.ts";
import { importCommand } from "./commands/import.ts";
import { knobsCommand } from "./commands/knobs.ts";
import { labCommand } from "./commands/lab.ts";
import { linkCommand } from "./commands/link.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { needCommand } from "./commands/need.ts";
import { phasesCommand } from "./commands/phases.ts";
import { runCommand } from "./commands/run.ts";
import { traceCommand } from "./commands/trace.ts";
import { unlinkCommand } from "./commands/unlink.ts";
import { watchCommand } from "./commands/watch.ts";

export const COMMANDS: readonly Command[] = [
  phasesCommand,
  knobsCommand,
  runCommand,
  analyzeCommand,
  traceCommand,
  exportCommand,
  execCommand,
  importCommand,
  checkCommand,
  bisectCommand,
  conditionsCommand,
  needCommand,
  watchCommand,
  alignCommand,
  labCommand,
  gradeCommand,
  linkCommand,
  unlinkCommand,
  mcpCommand,
];
