/** A run's outcome as the plain report that the command line prints and the page shows. */

import { plural } from "../../base/plural.ts";
import { regName } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { printInst } from "../text/printer.ts";
import { LANES } from "./machine.ts";
import type { ExecOutcome } from "./outcome.ts";
import type { ExecReport, StandInReport } from "./request.ts";
import { type FollowedStandIns, NOTHING_WROTE, type StandInSource } from "./stand-ins.ts";

/** Turns what happened into words and hex. `returns` has one entry a thread; a thread that did not end by RET has an empty one. */
export function toExecReport(fn: Func, outcome: ExecOutcome): ExecReport {
  const { stop, returned } = outcome;
  const returns = Array.from(returned, (did, thread) => {
    const values: Record<string, number | boolean | string> = {};
    if (did === 1) {
      fn.returns.forEach((r, i) => {
        const column = outcome.returns[i];
        if (column === undefined) return;
        const lo = column.lo[thread] ?? 0;
        const name = regName(r);
        if (column.hi !== null) values[name] = ((BigInt(column.hi[thread] ?? 0) << 32n) | BigInt(lo)).toString();
        else values[name] = name.startsWith("P") || name.startsWith("UP") ? lo === 1 : lo;
      });
    }
    return values;
  });
  const memory: Record<string, string> = {};
  for (const { name, bytes } of outcome.buffers) memory[name] = hex(bytes);
  const heat = fn.layout.map((block) => ({
    block,
    executions: outcome.executions[block] ?? 0,
    divergences: outcome.divergences[block] ?? 0,
  }));
  const standIns = standInsOf(fn, outcome);
  const said = describe(fn, outcome);
  return {
    status: outcome.status,
    at: stop === null ? null : { block: stop.label, instruction: stop.inst?.id ?? -1, lane: stop.thread },
    message: standIns === null ? said : `${said}; ${standIns.message}`,
    returns,
    memory,
    counters: { ...outcome.counters },
    heat,
    diagnostics: [],
    ...(standIns === null ? {} : { standIns }),
  };
}

/** What of a run's results is made up; null where nothing is, or where the run did not follow it. */
function standInsOf(fn: Func, { standIns: found, buffers, returned }: ExecOutcome): StandInReport | null {
  if (found === null) return null;
  const used: StandInSource[] = [];
  const index = (source: StandInSource): number => {
    if (!used.includes(source)) used.push(source);
    return used.indexOf(source);
  };
  const sourceOf = (why: number): StandInSource => found.sources[why - 1] ?? NOTHING_WROTE;
  const undecided = found.undecided === null ? null : index(found.undecided.source);
  const returns = Array.from(returned, (_, thread) => {
    const marked: Record<string, number> = {};
    fn.returns.forEach((r, i) => {
      const why = found.returns[i]?.[thread] ?? 0;
      if (why !== 0) marked[regName(r)] = index(sourceOf(why));
    });
    return marked;
  });
  const memory: Record<string, StandInReport["memory"][string]> = {};
  for (const [i, { name }] of buffers.entries()) {
    const marks = found.buffers[i];
    if (marks != null) memory[name] = ranges(marks).map(({ from, to, why }) => ({ from, to, source: index(sourceOf(why)) }));
  }
  const stores = found.stores.map(index);
  if (used.length === 0) return null;
  const values = returns.reduce((n, marked) => n + Object.keys(marked).length, 0);
  const of = returned.reduce((n, did) => n + did * fn.returns.length, 0);
  const words = found.buffers.reduce((n, marks) => n + markedWords(marks), 0);
  const all = buffers.reduce((n, { bytes }) => n + Math.ceil(bytes.length / 4), 0);
  return {
    message: sentence(found, used, [counted(values, of, "returned value"), counted(words, all, "word")]),
    undecided,
    sources: used,
    returns,
    memory,
    stores,
  };
}

const counted = (n: number, of: number, what: string): string => (n === 0 ? "" : `${n} of ${plural(of, what)}`);

/** What the run rests on, in words. */
function sentence({ undecided, stores }: FollowedStandIns, sources: readonly StandInSource[], counts: readonly string[]): string {
  const parts: string[] = [];
  if (undecided !== null) {
    const where = undecided.line > 0 ? ` (line ${undecided.line})` : "";
    parts.push(`not decided: ${undecided.what}${where} depends on ${inWords(undecided.source)}, so all values are stand-ins`);
  } else {
    const some = counts.filter((text) => text !== "");
    if (some.length > 0)
      parts.push(`${some.join(" and ")} ${some.length === 1 && some[0]?.startsWith("1 ") ? "depends" : "depend"} on ${listed(sources)}`);
  }
  const same = parts.length > 0 && stores.length === 1 && sources.length === 1;
  if (stores.length > 0) parts.push(`what ${same ? "it" : listed(stores)} may have stored is not shown`);
  return parts.join("; ");
}

const MOST_NAMED = 3;

const listed = (sources: readonly StandInSource[]): string =>
  sources.length > MOST_NAMED
    ? `${sources.slice(0, MOST_NAMED).map(inWords).join(", ")} and ${sources.length - MOST_NAMED} more`
    : sources.map(inWords).join(" and ");

const inWords = ({ what, line }: StandInSource): string => (line > 0 ? `${what} (line ${line})` : what);

function ranges(marks: Uint8Array): { readonly from: number; readonly to: number; readonly why: number }[] {
  const found: { from: number; to: number; why: number }[] = [];
  for (const [i, why] of marks.entries()) {
    if (why === 0) continue;
    const last = found.at(-1);
    if (last !== undefined && last.to === i && last.why === why) last.to = i + 1;
    else found.push({ from: i, to: i + 1, why });
  }
  return found;
}

function markedWords(marks: Uint8Array | null): number {
  if (marks === null) return 0;
  let n = 0;
  for (let at = 0; at < marks.length; at += 4) if (marks.subarray(at, at + 4).some((why) => why !== 0)) n++;
  return n;
}

/** One sentence: how the run ended, and where. */
export function describe(fn: Func, outcome: ExecOutcome): string {
  const { stop, status, message } = outcome;
  if (stop === null) return status === "ok" ? "every thread ended" : message;
  const text = stop.inst === null ? "the block's end" : `'${printedIn(fn, stop.func, outcome)}'`;
  const where = `${stop.func}, block ${stop.label}, ${text}, lane ${stop.thread % LANES} of warp ${Math.floor(stop.thread / LANES)}`;
  return `${status}: ${message} (${where})`;
}

function printedIn(fn: Func, func: string, outcome: ExecOutcome): string {
  const inst = outcome.stop?.inst;
  if (inst === null || inst === undefined) return "";
  // In a called function the labels are that function's; its mnemonic says enough.
  return func === fn.name ? printInst(fn, inst).trim() : [inst.op, ...inst.mods].join(".");
}

const DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));

function hex(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(DIGITS[byte] as string);
  return parts.join("");
}
