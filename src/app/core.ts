/** The page's own parts: with these alone it opens a program, steps and draws. In the order of their commands. */

import { FILE } from "./commands/file.ts";
import { RUN } from "./commands/run.ts";
import { TRANSPORT } from "./commands/transport.ts";
import { HELP, VIEW } from "./commands/view.ts";
import { COMPARE } from "./compare/feature.ts";
import { GRAPH_COMMANDS } from "./graph/commands.ts";
import { GRAPH_VIEW, keepGraphView } from "./graph/graph-view.ts";
import { EXPERIMENTS, experimentPanes } from "./inspectors/experiment/own.ts";
import { NO_PREFILL } from "./inspectors/slice.ts";
import { keepOffline, NO_UPDATE } from "./offline/offline.ts";
import type { Feature } from "./session/feature.ts";
import { keepPreferences } from "./share/preferences.ts";
import { followHead } from "./shell/document-head.ts";

export const CORE: readonly Feature[] = [
  { id: "inspectors", slices: { inspectors: NO_PREFILL }, experiments: EXPERIMENTS, experimentPanes },
  { id: "transport", commands: TRANSPORT },
  { id: "general", commands: [...FILE, ...RUN, ...VIEW], start: keepPreferences },
  { id: "help", commands: HELP, start: followHead },
  { id: "graph", slices: { graph: GRAPH_VIEW }, commands: GRAPH_COMMANDS, start: keepGraphView },
  COMPARE,
  { id: "offline", slices: { offline: NO_UPDATE }, start: keepOffline },
];
