/** `lab`: checks a lab, solves what the engine can solve of it, shows it as a student sees it. */

import { randomBytes } from "node:crypto";
import type { Args } from "../../../cli/args.ts";
import type { Command } from "../../../cli/command.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../../../cli/io.ts";
import { printDiagnostics, printJson } from "../../../cli/program.ts";
import { formatTable } from "../../../cli/table.ts";
import type { LabCheck } from "../engine/check.ts";
import type { LabCheckJson } from "./shapes.ts";

const ACTIONS = ["check", "solve", "show", "veil", "pack"] as const;

export const labCommand: Command = {
  name: "lab",
  summary:
    "Checks a lab (check), prints the engine's answers (solve), the lab as a page (show) or without its answers (veil), or packs it for a course system (pack).",
  notes: [
    "check  reports errors in the file, whether each task can be graded, and whether solutions earn full points; exit 1 on an error.",
    "solve  prints a hand-in with the answers the engine can give: a starting point for the solutions.",
    "show   prints the lab as HTML with the programs of one student.",
    "veil   prints the lab with right options and dropped conditions as digests: they cannot be read, but can be found by trying.",
    "pack   writes the page with the lab as a SCORM package, or as a folder for any web host.",
    "docs/teaching.md explains how to write a lab.",
  ],
  positionals: ["ACTION", "LAB"],
  options: [
    { name: "solutions", value: "FILE", doc: "check: a hand-in with solutions; each must earn full points." },
    { name: "variants", value: "N", doc: "check: try the generated programs of N students." },
    { name: "student", value: "NUMBER", doc: "solve, show: the programs of this student." },
    { name: "class", value: "KEY", doc: "solve, show, pack: the key of the class." },
    { name: "scorm", value: "EDITION", doc: "pack: 1.2 (default), 2004, or none for a folder." },
    {
      name: "for",
      value: "SYSTEM",
      oneOf: ["moodle", "canvas", "blackboard", "brightspace", "ilias", "openolat", "openedx"],
      doc: "pack: print advice for this course system; the package is the same.",
    },
    { name: "out", value: "FILE", doc: "pack: the zip or the folder." },
    { name: "page", value: "FOLDER", doc: "pack: the built page; default: dist/ of this checkout." },
    { name: "seed", value: "S", doc: "solve, show: the programs of this seed." },
  ],
  async run(args, io) {
    const [action = "", file = "-"] = args.positionals;
    if (!(ACTIONS as readonly string[]).includes(action))
      throw new UsageError(`ACTION must be one of ${ACTIONS.join(", ")}, not '${action}'`);
    if (action === "pack") return (await import("./lab-pack.ts")).packLab(file, args, io);
    if (action === "veil") return veil(file, io);
    return action === "check" ? check(file, args, io) : make(action, file, args, io);
  },
};

async function check(file: string, args: Args, io: Io): Promise<ExitCode> {
  const { checkLab } = await import("../engine/check.ts");
  const given = args.value("solutions");
  const { boxRunner } = await import("../../ownpass/box/runner.ts");
  const result = await checkLab(io.readText(file), {
    solutions: given === null ? null : io.readText(given),
    variants: args.count("variants", 0, 0),
    runner: boxRunner(),
    others: (id) => labBeside(file, id, io),
  });
  printDiagnostics(io, file, result.diagnostics);
  if (args.has("json")) printJson(io, result satisfies LabCheckJson);
  else io.out(checkText(result));
  return result.ok ? 0 : 1;
}

/** The salts are random: two veiled labs with the same answers reveal nothing about each other. */
async function veil(file: string, io: Io): Promise<ExitCode> {
  const [{ readLab }, { veilText }] = await Promise.all([import("../engine/read/read-lab.ts"), import("../engine/veil-file.ts")]);
  const source = io.readText(file);
  const { lab, diagnostics } = readLab(source);
  printDiagnostics(io, file, diagnostics);
  if (lab === null || diagnostics.some((d) => d.severity === "error")) return 1;
  const { text, veiled, told } = veilText(source, lab, () => randomBytes(6).toString("hex"));
  for (const said of told) io.err(`${file}: ${said}\n`);
  io.err(`veiled: ${veiled.length === 0 ? "nothing" : veiled.join(", ")}\n`);
  io.out(text, "data");
  return 0;
}

/** The lab with this id in the folder of another. */
function labBeside(file: string, id: string, io: Io): string | null {
  if (file === "-") return null;
  const folder = /^(.*)[/\\][^/\\]*$/.exec(file)?.[1] ?? ".";
  for (const name of io.files?.list(folder) ?? []) {
    if (!name.endsWith(".md") || typeof io.files?.sizeOf(name) === "string") continue;
    const text = io.readText(name);
    if (text.startsWith("---") && text.split("\n").some((line) => line.startsWith("id:") && line.slice("id:".length).trim() === id))
      return text;
  }
  return null;
}

function checkText({ ok, title, tasks, max, digest, minutes, variants }: LabCheck): string {
  const solved = { true: "yes", false: "no", null: "not tried" } as const;
  const rows = tasks.map((t) => [t.id, t.kind, String(t.points), solved[`${t.solved}`]]);
  const spread = variants.map((s) => [
    s.task,
    `${s.distinct} of ${s.tried}`,
    s.instructions.join("–"),
    s.steps === null ? "" : s.steps.join("–"),
    `${Math.round(s.commonest * 100)} %`,
  ]);
  return [
    `${title ?? "The lab"}: ${ok ? "no errors" : "errors"}; ${max} points${minutes === null ? "" : `, ${minutes} min`}${digest === null ? "" : `; digest ${digest}`}\n`,
    tasks.length === 0 ? "" : formatTable(["task", "kind", "points", "solved"], rows),
    spread.length === 0 ? "" : `\n${formatTable(["task", "programs", "instructions", "steps", "most common answer"], spread)}`,
  ].join("");
}

async function make(action: string, file: string, args: Args, io: Io): Promise<ExitCode> {
  const [{ readLab }, { studentSeed }, { ownSolutions }, { labPage }, { Stage, BrokenTask }] = await Promise.all([
    import("../engine/read/read-lab.ts"),
    import("../engine/digest.ts"),
    import("../engine/check.ts"),
    import("../engine/render.ts"),
    import("../engine/stage.ts"),
  ]);
  const { lab, diagnostics } = readLab(io.readText(file));
  printDiagnostics(io, file, diagnostics);
  if (lab === null || diagnostics.some((d) => d.severity === "error")) return 1;
  const student = args.value("student");
  if (student !== null && args.has("seed")) throw new UsageError("--student and --seed both select the programs: give one of them");
  const usual = lab.front.seed === "fixed" ? 0 : 1;
  const seed = student === null ? args.count("seed", 0, usual) : studentSeed(lab.front, student, args.value("class") ?? "");
  try {
    const text = action === "solve" ? ownSolutions(lab, seed) : labPage(lab, new Stage(lab, seed));
    if (args.has("json")) printJson(io, action === "solve" ? JSON.parse(text) : { html: text });
    else io.out(text, "data");
  } catch (error) {
    if (error instanceof BrokenTask) throw new InputError(error.message);
    throw error;
  }
  return 0;
}
