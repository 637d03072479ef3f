/** `lab pack`: a lab and the page as one package. */

import { fileURLToPath } from "node:url";
import type { Args } from "../../../cli/args.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../../../cli/io.ts";
import { printDiagnostics, printJson } from "../../../cli/program.ts";
import type { FileTree } from "./pack.ts";

const MEGABYTE = 1024 * 1024;
/** Usual limits for uploads. */
const LARGE = [2 * MEGABYTE, 20 * MEGABYTE];

export async function packLab(file: string, args: Args, io: Io): Promise<ExitCode> {
  const [{ readLab }, { packFiles, zipOf }] = await Promise.all([import("../engine/read/read-lab.ts"), import("./pack.ts")]);
  const system = SYSTEMS.find((s) => s.id === args.value("for")) ?? null;
  const edition = editionOf(args.value("scorm"));
  if (system !== null && edition === "none") throw new UsageError("--for is for a SCORM package, not for a folder");
  const out = args.value("out");
  if (out === null) throw new UsageError("pack needs --out: the zip file, or the folder for --scorm none");
  const { files } = io;
  if (files === undefined) throw new UsageError("pack needs files");
  const text = io.readText(file);
  const { lab, diagnostics } = readLab(text);
  printDiagnostics(io, file, diagnostics);
  if (lab === null || diagnostics.some((d) => d.severity === "error")) return 1;
  const { id, title, version } = lab.front;
  const page = treeOf(args.value("page") ?? builtPage(io), io);
  let packed: FileTree;
  try {
    packed = packFiles(page, { id, title, version, text }, edition, args.value("class") ?? "");
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(error.message);
    throw error;
  }
  let bytes = 0;
  if (edition === "none") {
    for (const [name, content] of packed) {
      files.write(`${out}/${name}`, content);
      bytes += content.length;
    }
  } else {
    const zip = zipOf(packed);
    bytes = zip.length;
    files.write(out, zip);
  }
  const over = LARGE.filter((limit) => bytes > limit).at(-1);
  if (over !== undefined) io.err(`${out}: warning: over ${over / MEGABYTE} MB, which some course systems do not accept\n`);
  for (const note of system?.notes ?? []) io.err(`${system?.name}: ${note}\n`);
  if (args.has("json")) printJson(io, { out, scorm: edition, for: system?.id ?? null, files: packed.size, bytes });
  else io.out(`${out}: ${title}, ${packed.size} files, ${(bytes / MEGABYTE).toFixed(1)} MB\n`);
  return 0;
}

/** What is known of course systems, from their sources and from reports; none was run. The package is the same for all. */
const SYSTEMS = [
  {
    id: "moodle",
    name: "Moodle",
    notes: ["in SCORM standards mode it stores 4,096 characters of state; the package sends no more than that."],
  },
  {
    id: "canvas",
    name: "Canvas",
    notes: [
      "the SCORM tool must be enabled; the title of the lab becomes the name of the assignment.",
      "a new attempt loses the state of the previous one: tell students to continue the old attempt, or to download their hand-in.",
    ],
  },
  {
    id: "blackboard",
    name: "Blackboard",
    notes: ["a lab that is 'open in another window' was not left properly: open it again, and close its own window."],
  },
  {
    id: "brightspace",
    name: "Brightspace",
    notes: ["the legacy player records a grade only when the lab is closed: tell students to close it."],
  },
  { id: "ilias", name: "ILIAS", notes: ["choose 'SCORM 1.2' as the type; the start file must have no parameters, and has none."] },
  { id: "openolat", name: "OpenOlat", notes: ["the start file must have no parameters, and has none."] },
  { id: "openedx", name: "Open edX", notes: ["needs a SCORM add-on; the lab waits ten seconds for it."] },
] as const;

function editionOf(value: string | null): "1.2" | "2004" | "none" {
  if (value === null || value === "1.2") return "1.2";
  if (value === "2004" || value === "none") return value;
  throw new UsageError(`--scorm must be 1.2, 2004 or none, not '${value}'`);
}

/** Where a checkout has the page that it built. */
function builtPage(io: Io): string {
  const here = fileURLToPath(import.meta.url);
  for (const up of ["../../../../../dist", "../../dist", "../dist"]) {
    const folder = fileURLToPath(new URL(up, import.meta.url));
    if (io.files?.list(folder)?.some((name) => /[\\/]index\.html$/.test(name)) === true) return folder;
  }
  throw new InputError(`there is no built page next to ${here}: run npm run build, or give its folder with --page`);
}

function treeOf(folder: string, io: Io): FileTree {
  const files = new Map<string, Uint8Array>();
  const visit = (path: string, name: string): void => {
    const inside = io.files?.list(path) ?? null;
    if (inside === null) {
      files.set(name, io.readBytes(path));
      return;
    }
    for (const child of inside)
      visit(child, [name, child.slice(path.length).replace(/^[\\/]+/, "")].filter((part) => part !== "").join("/"));
  };
  if (io.files?.list(folder) == null) throw new InputError(`${folder} is not a folder`);
  visit(folder, "");
  return files;
}
