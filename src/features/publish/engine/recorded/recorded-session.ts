/** A recorded trace that answers the page's questions to the engine: the same stepping, and nothing is run. */

import type {
  Breakpoint,
  History,
  HistoryItem,
  KernelInfo,
  Moment,
  MomentText,
  PhaseRun,
  RunResult,
  Subject,
} from "../../../../engine/api/types.ts";
import type { TraceDocument, TraceState, TraceStep } from "../trace-document.ts";
import { RecordedPhase } from "./recorded-phase.ts";

/** Items of a history. */
const MOST_ITEMS = 2000;

export class RecordedSession {
  readonly document: TraceDocument;
  private readonly phases: readonly RecordedPhase[];

  constructor(document: TraceDocument) {
    this.document = document;
    this.phases = document.phases.map((phase, run) => new RecordedPhase(phase, run, document.header.function));
  }

  kernel(): KernelInfo {
    const input = this.document.phases[0]?.input;
    const [blocks, instructions] = sizes(input);
    return { name: this.document.header.function, kind: "func", blocks, instructions, opaque: 0, params: [], line: 1 };
  }

  /** The recorded result, regardless of the options. */
  result(revision: number): RunResult {
    const { header } = this.document;
    return {
      revision,
      engine: header.generator,
      target: header.target ?? "",
      level: header.level ?? 0,
      kernel: header.function,
      phases: this.phases.map((phase) => phaseRun(phase, header.generator)),
      diagnostics: [],
      digest: "",
      interventions: [],
    };
  }

  phase(run: number): RecordedPhase | null {
    return this.phases[run] ?? null;
  }

  summary(run: number): string {
    return this.phases[run]?.phase.summary ?? "";
  }

  text(moment: Moment): MomentText {
    const phase = this.phases[Math.max(0, moment.run)];
    const rows = phase?.lines(moment.run < 0 ? -1 : (moment.step ?? phase.phase.steps.length - 1)) ?? [];
    return {
      text: rows.map((row) => row.text).join("\n"),
      blockOfLine: Int32Array.from(rows, (row) => row.block),
      instOfLine: Int32Array.from(rows, (row) => row.inst),
    };
  }

  /** The next step that touches a subject; the page finds every other step itself. */
  find(run: number, from: number, direction: 1 | -1, subject: Subject): number | null {
    const steps = this.phases[run]?.phase.steps ?? [];
    for (let step = from + direction; step >= 0 && step < steps.length; step += direction) {
      const at = steps[step];
      if (at !== undefined && touches(at, subject)) return step;
    }
    return null;
  }

  /** Only a live trace checks conditions on the kind, the line and the sentence's facts: here they stop nowhere. */
  ticks(run: number, breakpoints: readonly Breakpoint[]): Int32Array {
    const stops = (step: TraceStep): boolean =>
      breakpoints.some(
        (b) =>
          (b.kind === "line" && b.line === step.line) ||
          (b.kind === "event" && b.event === step.kind) ||
          (b.kind === "subject" && touches(step, b.subject)),
      );
    return Int32Array.from((this.phases[run]?.phase.steps ?? []).flatMap((step, i) => (stops(step) ? [i] : [])));
  }

  history(run: number | null, subject: Subject): History {
    const items: HistoryItem[] = [];
    let left = 0;
    for (const phase of this.phases) {
      if (run !== null && phase.run !== run) continue;
      phase.phase.steps.forEach((step, i) => {
        const event = touches(step, subject) ? phase.event(i) : null;
        if (event === null) return;
        if (items.length >= MOST_ITEMS) left++;
        else items.push({ ...event, run: phase.run, phase: phase.phase.id });
      });
    }
    return { items, notes: left === 0 ? [] : [`${left} more events touch this.`] };
  }
}

function phaseRun(recorded: RecordedPhase, generator: string): PhaseRun {
  const { phase, run } = recorded;
  const [before, after] = [sizes(phase.input), sizes(recorded.at(phase.steps.length - 1))];
  const changed = phase.steps.some((step) => step.program);
  return {
    run,
    address: `r${run}`,
    phase: phase.number,
    group: !/^oriscope\b/.test(generator) ? "foreign" : phase.id === "branch-folding" ? "cicc" : "ptxas",
    id: phase.id,
    name: phase.name,
    modelled: true,
    ran: true,
    reason: changed ? null : phase.summary || "it changed nothing",
    gates: [],
    dispatch: [],
    changed,
    blocks: [before[0], after[0]],
    instructions: [before[1], after[1]],
    matches: phase.steps.filter((step) => step.kind === "match").length,
    rewrites: phase.steps.filter((step) => step.program).length,
    asked: 0,
    refused: 0,
    dropped: [],
    figures: {},
    ms: 0,
    verifyErrors: [],
    check: null,
  };
}

function sizes(state: TraceState | undefined): [blocks: number, instructions: number] {
  if (state === undefined) return [0, 0];
  return [state.blocks.size, [...state.blocks.values()].reduce((n, block) => n + block.insts.length, 0)];
}

function touches({ focus, changes }: TraceStep, subject: Subject): boolean {
  switch (subject.kind) {
    case "block":
      return (
        focus.blocks?.includes(subject.id) === true ||
        focus.edges?.some((edge) => edge.includes(subject.id)) === true ||
        changes.removed.includes(subject.id) ||
        changes.blocks.some((block) => block.id === subject.id)
      );
    case "edge":
      return focus.edges?.some(([from, to]) => from === subject.from && to === subject.to) === true;
    case "inst":
      return focus.insts?.includes(subject.id) === true || focus.operands?.some(([inst]) => inst === subject.id) === true;
    case "reg":
      return focus.regs?.includes(subject.name) === true;
    case "node":
      return focus.nodes?.includes(subject.name) === true;
  }
}
