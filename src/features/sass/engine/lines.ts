/** Reads a listing line by line into sections of labels and instructions; the five layouts share one grammar. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { isConstantReg, isPredicateReg, PT, parseReg } from "../../../engine/ir/reg.ts";
import type { Guard } from "../../../engine/ir/types.ts";
import type { SassInst, SassOperand, Section } from "./ast.ts";
import type { SassCode } from "./codes.ts";
import { parseOperands } from "./operand.ts";

/** From a line of the listing on: a line of the source, by `//## File "x.cu", line 12`. */
export interface SourceMark {
  readonly listingLine: number;
  readonly file: string;
  readonly line: number;
}

export interface Listing {
  readonly sections: readonly Section[];
  readonly marks: readonly SourceMark[];
  readonly target: string | null;
}

/** Longest line that is read. */
const MOST_COLUMNS = 16_000;
/** Text of an opaque instruction kept at most. */
const MOST_TEXT = 400;

/** Lines of a debugger (`=> 0x7fffd3259a10 <+16>: S2R R0, SR_TID.X`) and rows of a profiler's source view, by tabs or as CSV: a number, the address, the instruction, counts. */
const DEBUGGER = /^\s*(?:=>\s*)?0x([0-9a-fA-F]{4,16})\s*(?:<([^<>+]*)\+(\d+)>\s*)?:\s*(?=[@A-Z])/;
const PROFILER = /^\s*"?\d{1,9}"?[\t,]\s{0,8}"?(?:0x)?([0-9a-fA-F]{8,16})"?[\t,][\s"]{0,8}(?=[@A-Z])/;

interface State {
  readonly sink: DiagnosticSink<SassCode>;
  readonly sections: Section[];
  readonly marks: SourceMark[];
  section: Section | null;
  /** False inside sections without code. */
  inCode: boolean;
  target: string | null;
  firstTarget: string | null;
  /** Symbols that `.type NAME,@function` declared. */
  readonly functions: Set<string>;
  readonly entries: Set<string>;
  nextAddress: number;
  step: number;
  /** Where the section begins in the machine's memory, when its addresses are those of a running program. */
  base: number;
}

/** Linear in the text. */
export function readListing(text: string, sink: DiagnosticSink<SassCode>): Listing {
  const state: State = {
    sink,
    sections: [],
    marks: [],
    section: null,
    inCode: true,
    target: null,
    firstTarget: null,
    functions: new Set(),
    entries: new Set(),
    nextAddress: 0,
    step: 0,
    base: 0,
  };
  let line = 0;
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    line++;
    const stop = Math.min(end, start + MOST_COLUMNS);
    readLine(state, text.slice(start, stop), line);
    start = end + 1;
  }
  for (const s of state.sections) if (state.entries.has(s.name)) s.isEntry = true;
  return { sections: state.sections.filter((s) => s.insts.length > 0), marks: state.marks, target: state.firstTarget };
}

const ADDRESS = /^\{?\s*\/\*\s*([0-9a-fA-F]{1,8})\s*\*\//;
const TARGETS = /\(\*"\s*BRANCH_TARGETS\s([^"]*)"\s*\*\)/;
const LABEL = /^\s*([A-Za-z_$.][\w$.@<>()~,:*&-]*)\s*:\s*$/;
/** A label before an instruction on one line. */
const INLINE_LABEL = /^(\.?[A-Za-z_$][\w$.]*):\s+(?=@|\/\*|[A-Z])/;
const CTRL = /^\s*\[[BRWYS0-9:\-$]{8,40}\]/;

function readLine(state: State, raw: string, line: number): void {
  const mark = /^\s*\/\/## File "([^"]*)", line (\d+)/.exec(raw);
  if (mark !== null) {
    state.marks.push({ listingLine: line, file: mark[1] ?? "", line: Number(mark[2]) });
    return;
  }
  const text = raw.trim();
  if (text === "" || text.startsWith(";") || text.startsWith("#") || text.startsWith('"#"') || text === "End of assembler dump.") return;
  if (readLive(state, text, line)) return;
  if (readHeading(state, text, line)) return;
  if (!state.inCode) return;
  const inline = text.includes(":") ? INLINE_LABEL.exec(text) : null;
  if (inline !== null && readLabel(state, `${inline[1]}:`, line)) readInst(state, text.slice(inline[0].length), line);
  else if (!text.includes(":") || !readLabel(state, text, line)) readInst(state, raw, line);
}

/** A line of a listing that a running program was read from: its addresses are made those of its function. */
function readLive(state: State, text: string, line: number): boolean {
  const dump = /^Dump of assembler code for function\s+([\w$.]+)/.exec(text)?.[1];
  if (dump !== undefined) openSection(state, dump, line);
  if (dump !== undefined) return true;
  const debugged = DEBUGGER.exec(text);
  const row = debugged === null ? PROFILER.exec(text) : null;
  const found = debugged ?? row;
  if (found === null) return false;
  const address = Number.parseInt(found[1] ?? "", 16);
  const name = /[\w$.]+/.exec(debugged?.[2] ?? "")?.[0];
  if (name !== undefined && state.section?.name !== name) openSection(state, name, line);
  const section = state.section ?? openSection(state, "text", line);
  if (section.insts.length === 0) state.base = debugged?.[3] === undefined ? address : address - Number(debugged[3]);
  const rest = text.slice(found[0].length);
  // After the instruction a row has counts.
  const code = row === null ? rest : /^[^\t"]*/.exec(rest)?.[0];
  readInst(state, `/*${(address - state.base).toString(16)}*/ ${code}`, line);
  return true;
}

/** Everything that is neither a label nor an instruction; true when the line is done. */
function readHeading(state: State, text: string, line: number): boolean {
  const section = /^\.section\s+(\S+?)(?:[,\s]|$)/.exec(text)?.[1];
  if (section !== undefined) {
    enterSection(state, section.replace(/^"|"$/g, ""), line);
    return true;
  }
  const dashes = /^\/\/ ?-+\s+(\.\S+)\s+-+/.exec(text)?.[1];
  if (dashes !== undefined) {
    enterSection(state, dashes, line);
    return true;
  }
  const fn = /^Function\s*:\s*(\S+)/.exec(text)?.[1];
  if (fn !== undefined) {
    state.inCode = true;
    openSection(state, fn, line);
    return true;
  }
  const arch = /^(?:code for|arch =|\.target|\.headerflags.*EF_CUDA_SM|EF_CUDA_SM)\s*(?:sm_)?(\d{2,3}[af]?)?/.exec(text);
  if (arch !== null) {
    const sm = /(?:sm_|SM)(\d{2,3}[af]?)/.exec(text)?.[1];
    if (sm !== undefined && !/^\.headerflags/.test(text)) {
      state.target = `sm_${sm}`;
      state.firstTarget ??= state.target;
    }
    return true;
  }
  if (text.startsWith("//")) return true;
  const type = /^\.type\s+([^\s,]+)\s*,\s*@function/.exec(text)?.[1];
  if (type !== undefined) state.functions.add(type);
  const entry = /^\.other\s+([^\s,]+)\s*,.*STO_CUDA_ENTRY/.exec(text)?.[1];
  if (entry !== undefined) state.entries.add(entry);
  if (text.startsWith(".") && !/^\.[\w$.@]+\s*:/.test(text)) return true;
  // The second half of an encoding, or a separator.
  if (/^\/\*\s*0x[0-9a-fA-F]+\s*\*\/$/.test(text) || /^[.=\-*_\s]+$/.test(text)) return true;
  return /^(?:Fatbin\b|host =|compile_size =|producer =|identifier|compressed|code version|\.headerflags)/.test(text);
}

function enterSection(state: State, name: string, line: number): void {
  state.inCode = name.startsWith(".text");
  if (!state.inCode) return;
  const fn = name.slice(".text.".length);
  if (state.section === null || state.section.name !== fn || state.section.insts.length > 0)
    openSection(state, fn === "" ? "text" : fn, line);
}

function openSection(state: State, name: string, line: number): Section {
  const section: Section = { name, isEntry: null, line, insts: [], labels: new Map(), functions: [], target: state.target };
  state.sections.push(section);
  state.section = section;
  state.nextAddress = 0;
  state.base = 0;
  state.step = stepOf(section.target);
  return section;
}

function stepOf(target: string | null): number {
  const sm = Number.parseInt(target?.slice(3) ?? "90", 10);
  return sm < 70 ? 8 : 16;
}

/** `NAME:`; true when the line is one. */
function readLabel(state: State, text: string, line: number): boolean {
  const bare = stripBetween(text, "/*", "*/")
    .replace(/\/\/.*/, "")
    .trim();
  const name = LABEL.exec(bare)?.[1] ?? demangledName(bare);
  if (name === null) return false;
  if (name.startsWith(".CUASM_OFFSET_LABEL")) return true;
  if (name.startsWith(".text.")) {
    const fn = name.slice(6);
    if (state.section === null || (state.section.insts.length > 0 && state.section.name !== fn)) openSection(state, fn, line);
    else if (state.section.insts.length === 0) state.section.name = fn;
    return true;
  }
  const isLocal = name.startsWith(".") || /^(?:L|BB|LBB)[_\d]/.test(name);
  // Listings without section lines: a name opens a function. A name within its own section is a local function.
  if (!isLocal && (state.section === null || (state.section.functions.length === 0 && state.section.insts.length === 0))) {
    if (state.section === null || state.section.name === "text") openSection(state, name, line);
    else if (state.section.name !== name) state.section.labels.set(name, 0);
    return true;
  }
  const section = state.section ?? openSection(state, "text", line);
  const at = section.insts.length;
  if (section.labels.has(name)) {
    state.sink.report("SASS007", { line, column: 1, length: name.length }, `the label '${clip(name)}' occurs twice`);
    return true;
  }
  section.labels.set(name, at);
  if (!isLocal && at > 0) {
    if (state.functions.has(name) || name.startsWith("$")) section.functions.push({ name, at, line });
    else openSection(state, name, line);
  }
  return true;
}

/** `void f<int>(int*, unsigned int):`, as panes with demangled names print it; null for anything else. */
function demangledName(text: string): string | null {
  return /^[A-Za-z_~]/.test(text) && text.endsWith(":") && text.includes("(") && !/[;`"]/.test(text) ? text.slice(0, -1) : null;
}

const OPCODE = /^([A-Z][A-Z0-9_]*)((?:\.[A-Za-z0-9_]+|\.)*)(?=\s|$|;|\(|`|\[)/;

function readInst(state: State, raw: string, line: number): void {
  const code = raw.replace(CTRL, " ").trim();
  const printed = ADDRESS.exec(code)?.[1];
  const address = printed === undefined ? null : Number.parseInt(printed, 16);
  const targets = TARGETS.exec(code)?.[1] ?? null;
  let text = stripBetween(stripBetween(code, "(*", "*)"), "/*", "*/");
  const comment = text.indexOf("//");
  if (comment >= 0) text = text.slice(0, comment);
  text = withoutSchedule(trimEnds(text));
  // Data between the sections.
  if (text === "" || text.startsWith(".")) return;
  let guard: Guard | null = null;
  const guarded = /^@\s*(?:(!)\s*)?(U?P(?:\d{1,2}|T))\s+/.exec(text);
  if (guarded !== null) {
    const reg = parseReg(guarded[2] ?? "");
    const neg = guarded[1] === "!";
    if (reg !== null && !(isConstantReg(reg) && !neg)) guard = { reg: isConstantReg(reg) ? PT : reg, neg };
    text = text.slice(guarded[0].length);
  }
  const opcode = OPCODE.exec(text);
  if (opcode === null) {
    state.sink.report(
      "SASS004",
      { line, column: raw.length - raw.trimStart().length + 1, length: raw.trim().length },
      `'${clip(raw.trim())}' is not an instruction`,
    );
    return;
  }
  const root = opcode[1] ?? "";
  const mods = (opcode[2] ?? "").split(".").filter((m) => m !== "");
  const rest = text.slice(opcode[0].length).trim();
  const { operands: written, cut } = parseOperands(rest, /^(?:BRXU?|JMXU?|RET|CALL|JCAL)$/.test(root));
  const placed = state.base > 0 && JUMPS.test(root) ? written.map((o) => fromBase(o, state.base)) : written;
  const operands = SPELLED_OUT.test(root) ? withoutIdleResults(placed) : placed;
  if (cut) state.sink.report("SASS015", { line, column: 1, length: raw.length }, `not every operand of '${clip(text)}' can be read`);
  const section = state.section ?? openSection(state, "text", line);
  const at = address ?? state.nextAddress;
  state.nextAddress = at + state.step;
  const inst: SassInst = {
    line,
    column: raw.length - raw.trimStart().length + 1,
    address: at,
    guard,
    root,
    mods,
    operands,
    targets:
      targets === null
        ? null
        : targets
            .split(",")
            .map((t) => t.trim())
            .filter((t) => t !== ""),
    text: text.replace(/\s+/g, " ").slice(0, MOST_TEXT),
  };
  section.insts.push(inst);
}

const JUMPS = /^(?:BRA|BSSY|CALL|SSY|PBK|PCNT|JMP|WARPSYNC)$/;

/** A target that is an address of the machine, as one of the function. */
function fromBase(o: SassOperand, base: number): SassOperand {
  return o.kind === "num" && o.integer && o.value >= base ? { ...o, value: o.value - base } : o;
}

/** Since sm_100 these are written with all their results: `IADD3 R7, PT, PT, R0, 0x20, RZ`. */
const SPELLED_OUT = /^U?(?:IADD3|VIMNMX)$/;
/** The result, two predicates, two sources at least, and what chooses or carries. */
const LEAST_SPELLED_OUT = 6;

/** Without the predicates after the result that are PT: nothing is written to them. */
function withoutIdleResults(operands: readonly SassOperand[]): readonly SassOperand[] {
  if (operands.length < LEAST_SPELLED_OUT) return operands;
  return operands.filter((o, i) => i === 0 || i > 2 || o.kind !== "reg" || o.inv || !isPredicateReg(o.reg) || !isConstantReg(o.reg));
}

/** Every span from `open` to `close` (or to the end) replaced by a blank. Linear. */
function stripBetween(text: string, open: string, close: string): string {
  let at = text.indexOf(open);
  if (at < 0) return text;
  const kept: string[] = [];
  let from = 0;
  while (at >= 0) {
    kept.push(text.slice(from, at), " ");
    const end = text.indexOf(close, at + open.length);
    from = end < 0 ? text.length : end + close.length;
    at = text.indexOf(open, from);
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** Without blanks and the braces of a pair issued together, nor `;` at the end. */
function trimEnds(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && " \t\r{".includes(text[from] ?? "")) from++;
  // `DEPBAR.LE SB0, 0x0, {5,4}` ends with its own brace.
  const own = text.indexOf("{", from) >= 0;
  while (from < to && (own ? " \t\r;" : " \t\r;}").includes(text[to - 1] ?? "")) to--;
  return text.slice(from, to);
}

const FIELD = /^[&?][A-Za-z]\w*(?:=\S*)?$/;

/** Scheduling fields are between the operands and `;`: `&req={0,1} ?trans7`. */
function withoutSchedule(text: string): string {
  let rest = text;
  for (;;) {
    const at = Math.max(rest.lastIndexOf(" "), rest.lastIndexOf("\t"));
    if (at < 0 || !FIELD.test(rest.slice(at + 1))) return rest;
    rest = trimEnds(rest.slice(0, at));
  }
}

export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
