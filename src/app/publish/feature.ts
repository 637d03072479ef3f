/** Publishing what ran: as files, and as a frame of another page. */

import type { PublishFormat } from "../../publish/publish.ts";
import type { Command } from "../session/command.ts";
import type { Feature } from "../session/feature.ts";
import type { SessionState } from "../session/state.ts";
import { exportFile } from "./export-file.ts";

const hasRun = (state: SessionState): boolean => state.run.result !== null && !state.run.stale;

/** In the dialog of exports. */
function exportCommand(format: PublishFormat, what: "phase" | "pipeline", title: string): Command {
  return {
    id: `export.${format}-${what}`,
    title,
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void exportFile(session, format, what),
  };
}

export const PUBLISH: Feature = {
  id: "publish",
  commands: [
    {
      id: "file.embed",
      title: "Embed this step…",
      menu: "file",
      separated: true,
      keys: [],
      enabled: (state) => state.document.text !== "",
      run: (session) => session.actions.view.set({ dialog: "link" }),
    },
    exportCommand("html", "phase", "Export this phase as an HTML file"),
    exportCommand("html", "pipeline", "Export all changing phases as an HTML file"),
    exportCommand("trace", "phase", "Export this phase as a trace"),
    exportCommand("trace", "pipeline", "Export all changing phases as a trace"),
    exportCommand("log", "pipeline", "Export all changes as Markdown"),
  ],
  dialogs: () => import("./embed-dialog.tsx"),
};
