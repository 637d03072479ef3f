/** A small engine for tests of the page: reads simple Ori text, 'runs' three phases with made-up but consistent traces. Knows no optimization. */

import type { KernelInfo, PhaseRun, RunResult, StateDelta, StructureDelta, TraceInfo } from "../../engine/api/types.ts";
import type { TraceEvent } from "../../engine/trace/event.ts";
import { EVENT_KINDS } from "../../engine/trace/kinds.ts";
import { type EngineApi, everyQuestion } from "../../worker/questions.ts";
import { readText } from "./fake-text.ts";
import { type FakeState, type FakeTrace, makeTrace, PSEUDOCODE, touches } from "./fake-trace.ts";
import { phaseRun } from "./phase-run.ts";

const NAMES: Readonly<Record<number, string>> = {
  3: "AnalyzeControlFlow",
  15: "OriBranchOpt",
  29: "GeneralOptimize",
  30: "DoSwitchOptSecond",
  49: "GvnCse",
};
const IDS: Readonly<Record<number, string>> = {
  3: "analyze-control-flow",
  15: "ori-branch-opt",
  29: "general-optimize",
  30: "do-switch-opt-second",
  49: "gvn-cse",
};

export function createFakeEngine(): EngineApi {
  let module: FakeState = { blocks: new Map(), layout: [], structures: [] };
  let kernel: KernelInfo | null = null;
  let runs: { phase: PhaseRun; trace: FakeTrace | null; input: FakeState }[] = [];

  const stateAt = (run: number, step: number): FakeState => {
    const entry = runs[run];
    if (entry === undefined) return module;
    return step < 0 ? entry.input : (entry.trace?.states[step] ?? entry.input);
  };
  const openText: EngineApi["open"] = (revision, source, format) => {
    const { blocks, diagnostics, name } = readText(source);
    const ok = diagnostics.length === 0;
    if (blocks.length > 0 && ok) {
      module = { blocks: new Map(blocks.map((b) => [b.id, b])), layout: blocks.map((b) => b.id), structures: [] };
      kernel = {
        name,
        kind: "kernel",
        blocks: blocks.length,
        instructions: blocks.reduce((n, b) => n + b.insts.length, 0),
        opaque: 0,
        params: [],
        line: 1,
      };
    }
    return { revision, format: format ?? "ori", ok, kernels: ok && kernel ? [kernel] : [], diagnostics, ori: source };
  };

  return {
    // No test reads the answers of the others.
    ...everyQuestion<EngineApi>(() => () => null),
    version: () => "fake",
    open: openText,
    openFirst(revision, source, format) {
      const answer = openText(revision, source, format);
      return { ...answer, ori: "", shown: answer.kernels[0]?.name ?? null, left: 0 };
    },
    run(revision, name, options): RunResult {
      let state = module;
      runs = [];
      for (let position = -1; position < 159; position++) {
        const modelled = NAMES[position] !== undefined || position === -1;
        const ran = modelled && position !== 30 && position !== -1;
        const deletes = position === 15 || position === 29;
        const done = ran ? makeTrace(state, deletes) : null;
        const out = done?.states.at(-1) ?? state;
        const count = (s: FakeState) => [...s.blocks.values()].reduce((n, b) => n + b.insts.length, 0);
        const phase = phaseRun({
          run: runs.length,
          address: `r${runs.length}`,
          phase: position < 0 ? null : position,
          group: position < 0 ? "cicc" : "ptxas",
          id: position < 0 ? "branch-folding" : (IDS[position] ?? `phase-${position}`),
          name: position < 0 ? "BranchFolding" : (NAMES[position] ?? `phase ${position}`),
          modelled,
          ran,
          reason: ran ? null : modelled ? "the gate is closed" : "not modelled",
          changed: ran,
          blocks: [state.blocks.size, out.blocks.size],
          instructions: [count(state), count(out)],
          matches: 1,
          rewrites: deletes ? 1 : 0,
          ms: 1,
        });
        runs.push({ phase, trace: done, input: { ...state, structures: [] } });
        state = out;
      }
      return {
        revision,
        engine: "fake",
        target: options.target ?? "sm_90",
        level: options.level,
        kernel: name,
        phases: runs.map((r) => r.phase),
        diagnostics: [],
        digest: String(state.blocks.size),
        interventions: [],
      };
    },
    trace(run): TraceInfo | null {
      const entry = runs[run];
      const done = entry?.trace;
      if (!entry || !done) return null;
      return {
        run,
        id: entry.phase.id,
        steps: done.events.length,
        cut: false,
        limit: 1e6,
        rewrites: null,
        kinds: Uint8Array.from(done.events, (e) => EVENT_KINDS.indexOf(e.kind)),
        depths: Uint8Array.from(done.events, (e) => e.depth),
        parents: Int32Array.from(done.events, (e) => e.parent),
        lines: Uint16Array.from(done.events, (e) => e.line),
        changes: Uint8Array.from(done.changes, Number),
        pseudocode: PSEUDOCODE,
        structures: [{ name: "edges", type: "hash-map", title: "Successor map" }],
      };
    },
    events: (run, from, count) => runs[run]?.trace?.events.slice(from, from + count) ?? [],
    view(run, step, have): StateDelta {
      const now = stateAt(run, step);
      const old = have === null ? null : stateAt(run, have);
      const before = step >= 0 ? stateAt(run, step - 1) : now;
      const event = runs[run]?.trace?.events[step] ?? null;
      const stack: TraceEvent[] = [];
      for (let e = event; e !== null && e.parent >= 0; ) {
        e = runs[run]?.trace?.events[e.parent] ?? null;
        if (e) stack.unshift(e);
      }
      const forwards = have !== null && have <= step;
      const fresh = forwards ? now.structures.slice(old?.structures.length ?? 0) : now.structures;
      const merged = new Map<string, StructureDelta>();
      if (!forwards) for (const s of old?.structures ?? []) merged.set(s.name, { ...s, reset: true, cells: [] });
      for (const s of fresh) merged.set(s.name, { ...s, reset: !forwards, cells: [...(merged.get(s.name)?.cells ?? []), ...s.cells] });
      return {
        run,
        step,
        reset: have === null,
        name: kernel?.name ?? "",
        entry: now.layout[0] ?? 0,
        blocks: [...now.blocks.values()].filter((b) => old?.blocks.get(b.id) !== b),
        removedBlocks: [...(old?.blocks.keys() ?? [])].filter((id) => !now.blocks.has(id)),
        layout: now.layout,
        tables: [],
        funcFlags: 0,
        structures: [...merged.values()],
        event,
        stack,
        changed: { blocks: [...now.blocks.values()].filter((b) => before.blocks.get(b.id) !== b).map((b) => b.id), insts: [] },
      };
    },
    breakpointTicks: (run, breakpoints) =>
      Int32Array.from(
        (runs[run]?.trace?.events ?? [])
          .filter((e) =>
            breakpoints.some(
              (b) =>
                (b.kind === "line" && b.line === e.line) ||
                (b.kind === "event" && b.event === e.kind) ||
                (b.kind === "subject" && touches(e, b.subject)),
            ),
          )
          .map((e) => e.step),
      ),
    graph(run) {
      const s = stateAt(run, -1);
      return {
        run,
        entry: s.layout[0] ?? 0,
        blocks: [...s.blocks.values()].map((b) => ({
          id: b.id,
          label: b.label,
          lines: b.insts.length,
          columns: 30,
          before: true,
          after: true,
        })),
        edges: [...s.blocks.values()].flatMap((b) =>
          b.succs.map((to, port) => ({
            from: b.id,
            to,
            kind: b.succKinds[port] ?? ("jump" as const),
            port,
            before: true,
            after: true,
            retreating: to <= b.id,
          })),
        ),
        loops: [],
      };
    },
  };
}
