/** Publishing what ran: as files, and as a frame of another page. */

import { plainName } from "../../../app/names/phases.ts";
import { MAX_TEXT } from "../../../app/session/actions/document.ts";
import { type Command, onShown } from "../../../app/session/command.ts";
import type { Feature } from "../../../app/session/feature.ts";
import type { Session } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { download, safeName } from "../../../app/share/download.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { PublishFormat } from "../engine/publish.ts";

const hasRun = (state: SessionState): boolean => state.run.result !== null && !state.run.stale;

const PAPER = "print, paper, pdf, save page, handout";

/** In the dialog of exports. */
function exportCommand(format: PublishFormat, what: "phase" | "pipeline", title: string, found = ""): Command {
  return onShown({
    id: `export.${format}-${what}`,
    title,
    found,
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void exportFile(session, format, what),
  });
}

export const PUBLISH: Feature = {
  id: "publish",
  commands: [
    {
      id: "file.embed",
      title: "Embed this step…",
      found: "iframe, share, slides",
      menu: "file",
      separated: true,
      keys: [],
      enabled: (state) => state.document.text !== "",
      run: (session) => session.actions.view.set({ dialog: "link" }),
    },
    exportCommand("html", "phase", "Export this phase as an HTML file", PAPER),
    exportCommand("html", "pipeline", "Export all changing phases as an HTML file", PAPER),
    exportCommand("trace", "phase", "Export this phase as a trace"),
    exportCommand("trace", "pipeline", "Export all changing phases as a trace"),
    exportCommand("log", "pipeline", "Export all changes as Markdown"),
  ],
  dialogs: () => import("./embed-dialog.tsx"),
};

const FILES: Readonly<Record<PublishFormat, { readonly extension: string; readonly type: string }>> = {
  html: { extension: "html", type: "text/html" },
  trace: { extension: "trace.jsonl", type: "application/jsonl" },
  log: { extension: "md", type: "text/markdown" },
};

const MOST_STEPS = 20_000;

/** Saves the open phase, or every phase that changed something, as a file; the engine's worker makes its text. Never rejects. */
async function exportFile(session: Session, format: PublishFormat, what: "phase" | "pipeline"): Promise<void> {
  const { actions, store, api } = session;
  const { document, run, position } = store.getState();
  const phase = what === "phase" ? (run.result?.phases[position.run] ?? null) : null;
  const name = run.result?.kernel ?? "";
  const title = [document.title === "" ? name : `${document.title}: ${name}`, ...(phase === null ? [] : [plainName(phase)])].join(", ");
  try {
    const published = await api.publish({ format, title, runs: phase === null ? null : [phase.run], mostSteps: MOST_STEPS });
    if (published === null || published.phases === 0) {
      actions.notify(
        "info",
        phase === null
          ? "No phase changed the program: there is nothing to export."
          : `${plainName(phase)} did not run: there is nothing to export.`,
      );
      return;
    }
    const { extension, type } = FILES[format];
    download(`${safeName(`${document.title || name}${phase === null ? "" : `-${phase.id}`}`)}.${extension}`, published.text, type);
    const notes = [...published.notes];
    if (format === "trace" && published.text.length > MAX_TEXT) notes.push("The trace is too large for this page to open again.");
    if (notes.length > 0) actions.notify("info", notes.join(" "));
  } catch (error) {
    actions.notify("error", `The export failed: ${messageOf(error)}`);
  }
}
