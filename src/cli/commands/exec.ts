/** `exec`: interprets a program. */

import { DEFAULT_THREADS } from "../../engine/api/exec/default-threads.ts";
import type { ExecReport, KernelInfo } from "../../engine/api/types.ts";
import { IMPORTERS } from "../../features/importers.ts";
import type { Args } from "../args.ts";
import type { Command } from "../command.ts";
import { type Io, UsageError } from "../io.ts";
import { withPass } from "../pass-option.ts";
import {
  AFTER_OPTION,
  chosenKernel,
  FROM_OPTION,
  KERNEL_OPTION,
  loadGood,
  momentAfter,
  optionsBefore,
  PASS_OPTION,
  PIPELINE_OPTIONS,
  type Program,
  printDiagnostics,
  printJson,
} from "../program.ts";
import type { ExecJson } from "../shapes.ts";

const DEFAULT_FUEL = 1_000_000;
/** Bytes of a buffer that are shown. */
const SHOWN_BYTES = 256;

export const execCommand: Command = {
  name: "exec",
  summary: "Interprets a program and prints observed registers, memory and counters; exit 1 on a trap.",
  notes: [
    "--arg n=5 sets a 32-bit value; f32:1.5, f64:1.5 and u64:… set values of other types.",
    "A Bril program runs with one thread by default, takes its arguments as in Bril (n=5, x=1.5, c=a, b=true), and its output is printed first.",
    "Values after FILE are a Bril program's arguments in order, as Bril's own interpreter takes them: `exec p.bril 5 true`.",
    "--arg n=each:1,2,3 gives each thread its own value; remaining threads get the last one.",
    "The output marks a result as a stand-in if it depends on something the model does not know (an opaque instruction, a special register, memory or a parameter without a value). Where such a value decides a branch or an address, nothing of the run is decided.",
    "--mem a=4096 gives parameter a a zeroed buffer of that many bytes; a=hex:…, a=@file and a=i32:1,2,3 one with contents; a=64:i32:1,2 pads it with zeros.",
  ],
  positionals: ["FILE", "[VALUE …]"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "arg", value: "NAME=VALUE", many: true, doc: "Value of a parameter." },
    { name: "mem", value: "NAME=BYTES", many: true, doc: "Buffer that a parameter points to, or the bytes of a struct parameter." },
    { name: "sreg", value: "NAME=V", many: true, doc: "Value of a special register: SR_NSMID=4, or by PTX's name, %envreg3=1." },
    { name: "threads", value: "N", doc: `Threads, 1 to 1024; default ${DEFAULT_THREADS}, of a Bril program 1.` },
    { name: "lines", doc: "For a Bril program: print only its output." },
    { name: "fuel", value: "N", doc: `Maximum number of warp instructions; default ${DEFAULT_FUEL}.` },
    AFTER_OPTION,
    PASS_OPTION,
    ...PIPELINE_OPTIONS.filter((o) => o.name !== "fuel"),
  ],
  async run(args, io) {
    const program = loadGood(args, io);
    const kernel = chosenKernel(program, args);
    const { session } = program;
    const options = await withPass(program, kernel.name, optionsBefore("exec", args, io), args, io);
    const moment = momentAfter(program, kernel.name, "exec", args, io, options);
    const threads = args.count("threads", 1, IMPORTERS[program.opened.format]?.input?.threads ?? DEFAULT_THREADS);
    if (threads > 1024) throw new UsageError("--threads takes at most 1024");
    const fuel = args.count("fuel", 1, DEFAULT_FUEL);
    const mem = args.values("mem").map((text) => withFile(text, io));
    const report = session.exec(moment, {
      threads,
      fuel,
      args: [...inOrder(program, kernel, args), ...args.values("arg")],
      mem,
      sregs: args.values("sreg"),
    });
    // Their positions are inside the options' values, not in the file.
    printDiagnostics(
      io,
      program.file,
      report.diagnostics.map((d) => ({ ...d, line: 0 })),
    );
    if (report.diagnostics.some((d) => d.severity === "error")) return 2;
    if (args.has("lines") && !args.has("json")) {
      io.out((report.output ?? []).map((line) => `${line}\n`).join(""), "data");
      if (report.status !== "ok") io.err(`error: ${report.message}\n`);
    } else print(report, session.labelsOf(moment.run), args, io);
    if (report.status === "fuel") io.err(`oriscope exec: --fuel N allows more than ${fuel} warp instructions\n`);
    return report.status === "ok" ? 0 : 1;
  },
};

/** Values without names, for the parameters in their order. */
function inOrder({ opened }: Program, { name, params }: KernelInfo, args: Args): readonly string[] {
  const [, ...values] = args.positionals;
  if (values.length === 0) return [];
  if (IMPORTERS[opened.format]?.input?.inOrder !== true)
    throw new UsageError(`unexpected argument '${values[0]}': only Bril programs take values without names; use --arg NAME=VALUE`);
  const extra = values[params.length];
  if (extra !== undefined)
    throw new UsageError(
      `unexpected argument '${extra}': @${name} has ${params.length === 1 ? "one parameter" : `${params.length} parameters`}`,
    );
  return values.map((value, i) => `${params[i]?.name ?? ""}=${value}`);
}

/** `a=@file` becomes `a=hex:…`. */
function withFile(text: string, io: Io): string {
  const match = /^([^=]*)=@(.*)$/s.exec(text);
  if (match === null) return text;
  return `${match[1]}=hex:${hex(io.readBytes(match[2] ?? ""))}`;
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** Stretches of a buffer that are named one by one. */
const SHOWN_RANGES = 8;

/** Which bytes of a buffer are stand-ins, and what each range depends on. */
function standInRows(name: string, { memory, sources }: NonNullable<ExecReport["standIns"]>): readonly string[] {
  const ranges = memory[name] ?? [];
  const rows = ranges.slice(0, SHOWN_RANGES).map(({ from, to, source }) => {
    const { what, line } = sources[source] ?? { what: "", line: 0 };
    return `  bytes ${from} to ${to - 1} are stand-ins: ${what}${line > 0 ? ` (line ${line})` : ""}`;
  });
  return ranges.length > SHOWN_RANGES ? [...rows, `  and ${ranges.length - SHOWN_RANGES} more stretches`] : rows;
}

function print(report: ExecReport, label: (id: number) => string, args: Args, io: Io): void {
  const { heat, diagnostics: _, ...rest } = report;
  const value: ExecJson = {
    ...rest,
    heat: heat.map(({ block, executions, divergences }) => ({ block: label(block), executions, divergences })),
  };
  if (args.has("json")) {
    printJson(io, value);
    return;
  }
  // The message of a stop begins with its status.
  const { standIns } = report;
  const ok = standIns === undefined ? "ok" : `ok${standIns.undecided === null ? ":" : ","} ${standIns.message}`;
  const rows = [...(report.output ?? []), report.status === "ok" ? ok : report.message];
  report.returns.forEach((lane, i) => {
    const madeUp = (name: string): boolean => standIns !== undefined && standIns.returns[i]?.[name] !== undefined;
    const values = Object.entries(lane).map(([name, v]) => `${name}=${v}${madeUp(name) ? " (stand-in)" : ""}`);
    if (values.length > 0) rows.push(`lane ${i}: ${values.join(" ")}`);
  });
  for (const [name, bytes] of Object.entries(report.memory)) {
    rows.push(`${name}: ${bytes.slice(0, 2 * SHOWN_BYTES)}${bytes.length > 2 * SHOWN_BYTES ? `… (${bytes.length / 2} bytes)` : ""}`);
    if (standIns !== undefined) rows.push(...standInRows(name, standIns));
  }
  for (const [name, count] of Object.entries(report.counters)) rows.push(`${name}: ${count}`);
  io.out(`${rows.join("\n")}\n`);
  if (report.at !== null) io.err(`at ${report.at.block}, instruction ${report.at.instruction}, lane ${report.at.lane}\n`);
}
