/** The parts of the page, in the order in which their commands are listed. */

import { GENERAL } from "./commands/general.ts";
import { TRANSPORT } from "./commands/transport.ts";
import { ENGINE_COMMANDS } from "./engines/commands.ts";
import { FUTURES } from "./futures/feature.ts";
import { GRAPH_COMMANDS } from "./graph/commands.ts";
import { GRAPH_VIEW } from "./graph/graph-view.ts";
import { NO_WISHES } from "./inspectors/slice.ts";
import { NO_LAB } from "./labs/state.ts";
import { LAB_COMMANDS } from "./labs/writer/commands.ts";
import { ownPass } from "./ownpass/feature.ts";
import { PUBLISH_COMMANDS } from "./publish/commands.ts";
import type { Feature } from "./session/feature.ts";

export const FEATURES: readonly Feature[] = [
  { id: "transport", commands: TRANSPORT },
  FUTURES,
  ownPass(),
  { id: "general", commands: GENERAL },
  { id: "publish", commands: PUBLISH_COMMANDS },
  { id: "labs", slices: { lab: NO_LAB }, commands: LAB_COMMANDS },
  { id: "engines", commands: ENGINE_COMMANDS },
  { id: "inspectors", slices: { inspectors: NO_WISHES } },
  { id: "graph", slices: { graph: GRAPH_VIEW }, commands: GRAPH_COMMANDS },
];
