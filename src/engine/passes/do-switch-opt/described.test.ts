/** What the phase shows: the context is kept from run to run, and each step has its change in the structure that it names. */

import { expect, it } from "vitest";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { runPhase } from "../../pipeline/run-phase.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { doSwitchOptSecond } from "./do-switch-opt-second.ts";
import { chainText, parse } from "./testing/chain.ts";

/** Each step of the last run: its sentence, and the cells as the step shows them. */
function steps(...phases: string[]) {
  const { fn, module } = parse(chainText([1, 2, 3]));
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases }, module.target);
  const last = runPipeline(fn, module, plan).runs.at(-1);
  if (last === undefined) throw new Error("no run");
  const recording = new Recording(last.before);
  runPhase(last.planned, doSwitchOptSecond, last.before, { module, plan, rec: recording });
  const trace = new Trace(recording, last.before);
  return Array.from({ length: trace.steps }, (_, step) => {
    trace.funcAt(step);
    const { journal } = trace;
    const cells = Array.from({ length: journal.cells }, (_, cell) => [journal.keyOfCell(cell), JSON.stringify(trace.cell(cell))] as const);
    return { sentence: trace.event(step).sentence, cells: new Map(cells) };
  });
}

it("makes the context at the first chain of a function and keeps it for a later run", () => {
  const about = (...phases: string[]) => steps(...phases).find(({ sentence }) => sentence.startsWith("the context of k"))?.sentence;
  expect(about("30")).toMatch(/^the context of k is made, room for \d+ cases/);
  expect(about("30", "30")).toMatch(/^the context of k was made by an earlier run and is kept, room for \d+ cases/);
});

it("shows a case's record, its row and the costs at the steps that say them", () => {
  const all = steps("30");
  const put = all.find(({ sentence }) => sentence.startsWith("2 is put into the record of L1, RPO "));
  const place = put?.sentence.split(" ").at(-1) ?? "";
  expect(put?.cells.get(`record ${place}`)).toContain("L1: 2");
  expect(put?.cells.get("c1")).toContain('"value":2');
  const at = (start: string) => all.find(({ sentence }) => sentence.startsWith(start));
  const [facts, costs] = [at("3 cases from 1 to 3"), at("worst case of instructions")];
  expect([facts?.cells.get("facts") === undefined, facts?.cells.get("tree") === undefined]).toEqual([false, true]);
  expect(costs?.cells.get("tree")).toContain('"chosen":false');
});
