/** Statements drawn from the table of instructions, with and without a mistake, and the verdicts of our reader and of ptxas on each. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrng, type Prng } from "../../src/base/prng.ts";
import { importPtx } from "../../src/engine/import/ptx/import.ts";
import { INSTRUCTIONS, TYPE_SETS, WORD_SETS } from "../../src/engine/import/ptx/instructions.ts";

export interface Difference {
  readonly statement: string;
  /** The message of the one that refuses it. */
  readonly ours: string | null;
  readonly theirs: string | null;
}

export interface Comparison {
  readonly tried: number;
  /** By ptxas. */
  readonly refused: number;
  readonly differences: readonly Difference[];
}

export function hasAssembler(): boolean {
  return spawnSync("ptxas", ["--version"], { stdio: "ignore" }).error === undefined;
}

/** Registers of every type, four of each, named by the type. */
const TYPES = "b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 f16x2 b64 u64 s64 f64 b128".split(" ");
const REGISTERS = `.reg .pred pred_<4>; ${TYPES.map((type) => `.reg .${type} ${type}_<4>;`).join(" ")} .reg .v4 .u32 quad; .reg .v2 .f32 two;`;
const VARIABLES = ".shared .align 16 .b8 inShared[256]; .local .align 16 .b8 inLocal[64];";
const HEAD = [
  ".global .align 16 .b8 inGlobal[256]; .const .align 16 .b8 inConst[256];",
  ".visible .entry k(.param .u64 .ptr wide, .param .u32 narrow, .param .align 8 .b8 bytes[16])",
  "{",
  REGISTERS,
  VARIABLES,
];

/** Statements of a seed, some with a mistake. */
export function statements(seed: number, count: number): string[] {
  const prng = createPrng(seed);
  const forms = readForms();
  return Array.from({ length: count }, () => {
    const form = prng.pick(forms);
    const statement = drawStatement(prng, form);
    return prng.chance(0.5) ? statement : withMistake(prng, statement, form, forms);
  }).map(print);
}

interface FormText {
  readonly root: string;
  readonly words: readonly string[];
  readonly operands: readonly string[];
}

interface Statement {
  readonly root: string;
  readonly words: readonly string[];
  readonly operands: readonly string[];
  readonly guard: string;
}

const CONTROL = new Set(["bra", "brx", "exit", "ret", "trap", "brkpt"]);

/** Forms that are checked whole: no open words, no operand without a rule. */
function readForms(): FormText[] {
  const forms: FormText[] = [];
  const byRoot = new Map<string, FormText[]>();
  let root = "";
  for (const line of INSTRUCTIONS.trim().split("\n")) {
    if (!line.startsWith("  ")) {
      root = line.split(" ")[0] ?? "";
      continue;
    }
    const own = byRoot.get(root) ?? [];
    byRoot.set(root, own);
    if (line.startsWith("  = ")) {
      own.push(...(byRoot.get(line.slice(4)) ?? []).map((form) => ({ ...form, root })));
      continue;
    }
    const at = line.indexOf(" :");
    const operands = line
      .slice(at + 2)
      .replace(/ (?:isa|sm|until|vector)\b.*$/, "")
      .split(" ")
      .filter(Boolean);
    own.push({ root, words: line.slice(0, at).split(" ").filter(Boolean), operands });
  }
  for (const [name, own] of byRoot) {
    if (CONTROL.has(name)) continue;
    forms.push(...own.filter((form) => !form.words.includes("?") && !form.operands.some((o) => /:any|vector/.test(o))));
  }
  return forms;
}

function drawStatement(prng: Prng, form: FormText): Statement {
  const words: string[] = [];
  const types: string[] = [];
  let brings = true;
  for (const word of form.words) {
    if (word.includes("=")) {
      const type = prng.pick(
        word
          .slice(2)
          .split(",")
          .flatMap((name) => (TYPE_SETS[name] ?? name).split(",")),
      );
      types.push(type);
      words.push(type);
      continue;
    }
    const last = word.at(-1) ?? "";
    const names = "?!&".includes(last) ? word.slice(0, -1) : word;
    const optional = last === "?" || last === "&";
    const taken = !optional || prng.chance(0.3);
    if (last === "&") brings = taken;
    if (taken && names !== "unified") words.push(prng.pick((WORD_SETS[names] ?? names).split("|")));
  }
  const needs = form.operands.filter((o) => !o.endsWith("^") && (!o.endsWith("?") || prng.chance(0.5)));
  if (!brings) needs.pop();
  const space = words.find((word) => /^(?:global|shared|local|const|param)/.test(word)) ?? "";
  return {
    root: form.root,
    words,
    operands: needs.map((need) => drawOperand(prng, need, types, space)),
    guard: prng.chance(0.05) ? "@!pred_1 " : "",
  };
}

function drawOperand(prng: Prng, need: string, types: readonly string[], space: string): string {
  const [, role = "", name = "", flags = ""] = /^([ds]):([a-z0-9]+|[A-Z])(.*)$/.exec(need) ?? [];
  if (name === "mem") return drawAddress(prng, space);
  if (name === "addr") return "b64_1";
  const type = name === "T" ? types[0] : name === "U" ? types[1] : name === "W" ? twice(types[0]) : name === "word" ? "u32" : name;
  if (flags.includes("#")) return "0x1f";
  if (flags.includes("|") && prng.chance(0.5)) return `${registerFor(prng, type ?? "b32")}|pred_${prng.below(4)}`;
  if (role === "s" && prng.chance(0.2)) return literalFor(prng, type ?? "b32");
  return registerFor(prng, type ?? "b32");
}

function drawAddress(prng: Prng, space: string): string {
  if (prng.chance(0.7)) return prng.pick(["[b64_1]", "[b64_1+8]", "[u64_2]"]);
  const base = space.startsWith("shared")
    ? "inShared"
    : space === "local"
      ? "inLocal"
      : space === "const"
        ? "inConst"
        : space.startsWith("param")
          ? "bytes"
          : "inGlobal";
  return `[${base}+8]`;
}

function twice(type: string | undefined): string {
  return (type ?? "u32").replace(/\d+/, (bits) => `${Number(bits) * 2}`);
}

/** Registers that fit a type, most often. */
function registerFor(prng: Prng, type: string): string {
  const bits = /\d+(?=x2)/.test(type) ? `${Number(/\d+(?=x2)/.exec(type)?.[0]) * 2}` : (/\d+/.exec(type)?.[0] ?? "");
  const same =
    type === "pred" ? ["pred"] : type.startsWith("u") || type.startsWith("s") ? [`b${bits}`, `u${bits}`, `s${bits}`] : [`b${bits}`];
  const kind = prng.pick(TYPES.includes(type) ? [...same, type] : same);
  return `${kind}_${prng.below(4)}`;
}

function literalFor(prng: Prng, type: string): string {
  if (type === "f32") return prng.pick(["1.5", "0f3f800000"]);
  if (type === "f64") return prng.pick(["1.5", "0d3ff0000000000000"]);
  return /^[usb]\d+$/.test(type) ? prng.pick(["5", "-3", "0x7f", "WARP_SZ"]) : registerFor(prng, type);
}

const OPERANDS = [
  "5",
  "1.5",
  "0f3f800000",
  "0d3ff0000000000000",
  "%tid.x",
  "%clock64",
  "%envreg32",
  "%laneid.x",
  "inGlobal",
  "inShared",
  "missing",
  "_",
  "[b64_1]",
  "quad",
  "quad.x",
];

/** The statement with one change, which may still leave it right. */
function withMistake(prng: Prng, statement: Statement, form: FormText, forms: readonly FormText[]): Statement {
  const operands = [...statement.operands];
  const words = [...statement.words];
  const at = prng.below(Math.max(1, operands.length));
  switch (prng.below(8)) {
    case 0:
    case 1:
    case 2:
      operands[at] = `${prng.pick(["pred", ...TYPES])}_1`;
      break;
    case 3:
      operands[at] = prng.pick(OPERANDS);
      break;
    case 4:
      if (prng.chance(0.5)) operands.splice(at, 1);
      else operands.splice(at, 0, "b32_1");
      break;
    case 5: {
      const types = words.flatMap((word, i) => (/^(?:pred|[usbf]\d|bf\d)/.test(word) ? [i] : []));
      const which = types.length === 0 ? -1 : prng.pick(types);
      if (which >= 0) words[which] = prng.pick(["pred", ...TYPES, "bf16", "bf16x2", "u16x2"]);
      break;
    }
    case 6:
      if (words.length > 0) words.splice(prng.below(words.length), 1);
      break;
    default: {
      const other = prng.chance(0.5) ? form : prng.pick(forms);
      const extra = other.words.filter((word) => !word.includes("=")).map((word) => word.replace(/[?!&]$/, ""));
      if (extra.length > 0)
        words.splice(prng.below(words.length + 1), 0, prng.pick(extra.flatMap((names) => (WORD_SETS[names] ?? names).split("|"))));
    }
  }
  return { ...statement, operands, words };
}

function print({ root, words, operands, guard }: Statement): string {
  return `${guard}${[root, ...words].join(".")} ${operands.join(", ")}`.trim().concat(";");
}

/** Asks both about the statements of a seed. */
export function compareRules(seed: number, count: number, isa: string, target: string): Comparison {
  const all = [...new Set(statements(seed, count))];
  const differences: Difference[] = [];
  let refused = 0;
  for (let from = 0; from < all.length; from += 500) {
    const some = all.slice(from, from + 500);
    const ours = ourVerdicts(some, isa, target);
    const theirs = theirVerdicts(some, isa, target);
    for (const [i, statement] of some.entries()) {
      const [mine, real] = [ours[i] ?? null, theirs[i] ?? null];
      if (real === ELSEWHERE) continue;
      if (real !== null) refused++;
      if ((mine === null) !== (real === null)) differences.push({ statement, ours: mine, theirs: real });
    }
  }
  return { tried: all.length, refused, differences };
}

/** Lines before the first statement of a text that has one statement per line. */
const BEFORE = 3 + HEAD.length;

function textOf(some: readonly string[], isa: string, target: string): string {
  return [`.version ${isa}`, `.target ${target}`, ".address_size 64", ...HEAD, ...some, "ret;", "}", ""].join("\n");
}

function ourVerdicts(some: readonly string[], isa: string, target: string): (string | undefined)[] {
  const verdicts: (string | undefined)[] = [];
  for (const { severity, line, message } of importPtx(textOf(some, isa, target), { maxDiagnostics: 1e6 }).diagnostics) {
    if (severity === "error") verdicts[line - 1 - BEFORE] ??= message;
  }
  return verdicts;
}

const ELSEWHERE = "elsewhere";

/** Some complaints are about an instruction that ptxas made itself, and are those of another statement. */
function isElsewhere(message = "", statement = ""): boolean {
  const about = / instruction '(\w+)/.exec(message)?.[1];
  return about !== undefined && !statement.includes(about);
}

/** Code for an older target is made for the oldest one that ptxas still makes code for. */
function architecture(target: string): string {
  return Number(/\d+/.exec(target)?.[0] ?? 0) < 75 ? "sm_75" : target;
}

/** A syntax error hides what comes after it: statements that are refused are taken out until nothing is. */
function theirVerdicts(some: readonly string[], isa: string, target: string): (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "oriscope-rules-"));
  const verdicts: (string | undefined)[] = [];
  try {
    const file = join(folder, "k.ptx");
    for (let round = 0; round < 200; round++) {
      writeFileSync(
        file,
        textOf(
          some.map((statement, i) => (verdicts[i] === undefined ? statement : "")),
          isa,
          target,
        ),
      );
      const { status, stderr } = spawnSync("ptxas", ["-O0", `-arch=${architecture(target)}`, file, "-o", join(folder, "k.cubin")], {
        encoding: "utf8",
      });
      if (status === 0) return verdicts;
      let found = 0;
      for (const [, line, message] of stderr.matchAll(/line (\d+); (?:error|fatal)\s*: (.*)/g)) {
        const at = Number(line) - 1 - BEFORE;
        if (at < 0 || at >= some.length || verdicts[at] !== undefined) continue;
        verdicts[at] = isElsewhere(message, some[at]) ? ELSEWHERE : message;
        found++;
      }
      if (found > 0) continue;
      // Refused as a whole, or ptxas broke down: what is left is asked in halves, until one statement is to blame.
      const left = some.flatMap((_, i) => (verdicts[i] === undefined ? [i] : []));
      if (left.length < 2) {
        for (const i of left) verdicts[i] = ELSEWHERE;
        return verdicts;
      }
      for (const half of [left.slice(0, left.length >> 1), left.slice(left.length >> 1)]) {
        const answers = theirVerdicts(
          half.map((i) => some[i] ?? ""),
          isa,
          target,
        );
        for (const [k, i] of half.entries()) verdicts[i] = answers[k];
      }
      return verdicts;
    }
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
