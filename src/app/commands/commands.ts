/** The list of all commands, and how to find one. */

import { ENGINE_COMMANDS } from "../engines/commands.ts";
import { FUTURE_COMMANDS } from "../futures/commands.ts";
import { GRAPH_COMMANDS } from "../graph/commands.ts";
import { LAB_COMMANDS } from "../labs/writer/commands.ts";
import { PASS_COMMANDS } from "../ownpass/commands.ts";
import { PUBLISH_COMMANDS } from "../publish/commands.ts";
import type { Command } from "./command.ts";
import { GENERAL } from "./general.ts";
import { TRANSPORT } from "./transport.ts";

export const COMMANDS: readonly Command[] = [
  ...TRANSPORT,
  ...FUTURE_COMMANDS,
  ...PASS_COMMANDS,
  ...GENERAL,
  ...PUBLISH_COMMANDS,
  ...LAB_COMMANDS,
  ...ENGINE_COMMANDS,
  ...GRAPH_COMMANDS,
];

const BY_ID: ReadonlyMap<string, Command> = new Map(COMMANDS.map((c) => [c.id, c]));

export function commandById(id: string): Command | null {
  return BY_ID.get(id) ?? null;
}
