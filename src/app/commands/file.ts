/** The File menu: opening and saving. */

import { always, type Command, opensDialog } from "../session/command.ts";
import type { SessionState } from "../session/state.ts";
import { copyLink, downloadCase, downloadExport, downloadSource, pickFile } from "../share/files.ts";
import { startBlank } from "./blank.ts";

const hasText = (s: SessionState): boolean => s.document.text !== "";

export const FILE: readonly Command[] = [
  { id: "file.new", title: "New: paste or type a program", menu: "file", keys: [], enabled: (s) => !s.view.embed, run: startBlank },
  {
    id: "file.open",
    title: "Open file…",
    menu: "file",
    keys: ["Mod+O"],
    enabled: always,
    run: (session) => void pickFile(session),
  },
  opensDialog("file.recent", "Recent…", "recent", "file", []),
  { id: "file.save", title: "Download source", menu: "file", keys: ["Mod+S"], enabled: hasText, run: downloadSource },
  { id: "file.save-case", title: "Download everything as one file", menu: "file", keys: [], enabled: hasText, run: downloadCase },
  {
    id: "file.copy-link",
    title: "Copy link to this step",
    menu: "file",
    separated: true,
    keys: ["Mod+Shift+L"],
    enabled: hasText,
    run: (session) => void copyLink(session, "page"),
  },
  {
    id: "file.copy-embed",
    title: "Copy link for embedding",
    menu: "file",
    keys: [],
    enabled: hasText,
    run: (session) => void copyLink(session, "embed"),
  },
  opensDialog("file.export", "Export…", "export", "file", []),
  exported("ori", "Ori"),
  exported("dot", "DOT"),
  exported("json", "JSON"),
  exported("mermaid", "Mermaid"),
];

function exported(format: Parameters<typeof downloadExport>[1], name: string): Command {
  return {
    id: `export.${format}`,
    title: `Export the program at this step as ${name}`,
    menu: null,
    keys: [],
    enabled: (s) => s.run.result !== null,
    run: (session) => void downloadExport(session, format),
  };
}
