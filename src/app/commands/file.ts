/** The File menu: opening and saving. */

import { always, type Command, onShown, opensDialog } from "../session/command.ts";
import type { SessionState } from "../session/state.ts";
import { copyLink, downloadCase, downloadExport, downloadSource, pickFile } from "../share/files.ts";
import { startBlank } from "./blank.ts";

const hasText = (s: SessionState): boolean => s.document.text !== "";

export const FILE: readonly Command[] = [
  {
    id: "file.new",
    title: "New: paste or type a program",
    found: "paste, empty, blank, clear the text",
    menu: "file",
    keys: [],
    enabled: (s) => !s.view.embed,
    run: startBlank,
  },
  {
    id: "file.open",
    title: "Open file…",
    found: "open, upload, import, load",
    menu: "file",
    keys: ["Mod+O"],
    enabled: always,
    run: (session) => void pickFile(session),
  },
  { ...opensDialog("file.recent", "Recent…", "recent", "file", []), found: "history, restore, earlier programs" },
  {
    id: "file.save",
    title: "Download source",
    found: "save, store, write",
    menu: "file",
    keys: ["Mod+S"],
    enabled: hasText,
    run: downloadSource,
  },
  { id: "file.save-case", title: "Download everything as one file", menu: "file", keys: [], enabled: hasText, run: downloadCase },
  {
    id: "file.copy-link",
    title: "Copy link to this step",
    found: "share, url, address",
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
  exported("dot", "DOT", "graphviz, picture, image"),
  exported("json", "JSON"),
  exported("mermaid", "Mermaid", "picture, diagram, image"),
];

function exported(format: Parameters<typeof downloadExport>[1], name: string, found = ""): Command {
  return onShown({
    id: `export.${format}`,
    title: `Export the program at this step as ${name}`,
    found,
    menu: null,
    keys: [],
    enabled: (s) => s.run.result !== null,
    run: (session) => void downloadExport(session, format),
  });
}
