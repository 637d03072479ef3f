/** A small engine for tests of the page: reads simple Ori text, 'runs' three phases with made-up but consistent traces. Knows no optimization. */

import type {
  Analyses,
  BlockView,
  Diagnostic,
  InstView,
  KernelInfo,
  OpenResult,
  PhaseRun,
  RunResult,
  StateDelta,
  StructureDelta,
  Subject,
  Token,
  TraceInfo,
} from "../../engine/api/types.ts";
import type { Facts, Focus, TraceEvent } from "../../engine/trace/event.ts";
import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";
import type { EngineApi } from "../../worker/contract.ts";

interface FakeState {
  readonly blocks: ReadonlyMap<number, BlockView>;
  readonly layout: readonly number[];
  readonly structures: readonly StructureDelta[];
}

interface FakeTrace {
  readonly events: readonly TraceEvent[];
  readonly states: readonly FakeState[];
  readonly changes: readonly boolean[];
}

const PSEUDOCODE = [
  "for each block B in reverse post-order",
  "  visit B",
  "  if B is a candidate",
  "    check the conditions",
  "    rewrite B",
  "  set the flag",
  "done",
];
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

const NO_FLAGS = { rpo: 0, latchExit: 0, flags: 0, flags2: 0, scratch120: 0, scratch232: 0, weight: null };

function tokens(text: string): readonly Token[] {
  return text
    .split(/(\s+|,|\[|\]|\+)/)
    .filter((t) => t !== "")
    .map((t, i): Token => {
      const reg = /^!?(?:R|RD|P|UR|UP|B)\d+$|^RZ$|^PT$/.test(t);
      return {
        text: t,
        kind: i === 0 ? "mnemonic" : reg ? "reg" : "punct",
        operand: null,
        regs: reg ? [t.replace("!", "")] : [],
        def: i === 2,
      };
    });
}

/** Blocks of the text's first kernel, by the crudest reading that serves the tests. */
function read(text: string): { blocks: BlockView[]; diagnostics: Diagnostic[]; name: string } {
  const diagnostics: Diagnostic[] = [];
  const raw: { label: string; insts: InstView[]; line: number }[] = [];
  let name = "";
  let id = 0;
  let closed = true;
  for (const [index, full] of text.split("\n").entries()) {
    const line = full.replace(/\/\/.*$/, "").trim();
    if (line === "" || line.startsWith(".target") || line.startsWith(".weight")) continue;
    const kernel = /^\.kernel\s+(\w+)/.exec(line);
    if (kernel) {
      name = kernel[1] ?? "";
      continue;
    }
    const label = /^([A-Za-z_$.][\w$.]*):$/.exec(line);
    if (label) {
      raw.push({ label: label[1] ?? "", insts: [], line: index + 1 });
      closed = false;
      continue;
    }
    const code = /^(@!?U?P\w+\s+)?([A-Z][A-Z0-9.]*)\b/.exec(line);
    if (!code) {
      diagnostics.push({
        line: index + 1,
        column: 1,
        length: line.length,
        severity: "error",
        code: "ORI001",
        message: `can't read '${line.slice(0, 40)}'`,
        suggestion: null,
      });
      continue;
    }
    let block = raw.at(-1);
    if (block === undefined || closed) {
      block = { label: `${block?.label ?? "BB"}.${raw.length}`, insts: [], line: index + 1 };
      raw.push(block);
      closed = false;
    }
    const op = (code[2] ?? "").split(".")[0] ?? "";
    block.insts.push({ id: ++id, text: line, tokens: tokens(line), op, effect: op === "BRA" ? "control" : "pure", line: index + 1 });
    closed = op === "BRA" || op === "EXIT";
  }
  const byLabel = new Map(raw.map((b, i) => [b.label, i]));
  const blocks = raw.map((b, i): BlockView => {
    const last = b.insts.at(-1)?.text ?? "";
    const target = byLabel.get(/BRA\s+([\w.$]+)/.exec(last)?.[1] ?? "");
    const succs: number[] = [];
    const succKinds: BlockView["succKinds"][number][] = [];
    if (target !== undefined) {
      succs.push(target);
      succKinds.push(last.startsWith("@") ? "taken" : "jump");
    }
    if (!/^(BRA|EXIT)/.test(last) && i + 1 < raw.length && target !== i + 1) {
      succs.push(i + 1);
      succKinds.push("fall");
    }
    return { id: i, label: b.label, insts: b.insts, succs, preds: [], succKinds, line: b.line, ...NO_FLAGS };
  });
  const preds = blocks.map((b) => blocks.filter((p) => p.succs.includes(b.id)).map((p) => p.id));
  if (raw.length === 0)
    diagnostics.push({ line: 1, column: 1, length: 0, severity: "error", code: "ORI002", message: "no block", suggestion: null });
  return { blocks: blocks.map((b) => ({ ...b, preds: preds[b.id] ?? [] })), diagnostics, name: name || "kernel" };
}

/** Runs one phase over blocks: numbers them, sets a flag on loop heads, and (where `deletes`) drops the last instruction of one block. */
function trace(input: FakeState, deletes: boolean): FakeTrace {
  const events: TraceEvent[] = [];
  const states: FakeState[] = [];
  const changes: boolean[] = [];
  let state = input;
  let parent = -1;
  let depth = 0;
  const emit = (kind: EventKind, line: number, sentence: string, facts: Facts, focus: Focus, next: FakeState = state, change = false) => {
    events.push({ step: events.length, parent, depth, kind, line, sentence, facts, focus });
    state = next;
    states.push(state);
    changes.push(change);
  };
  emit("gate", 1, "The opt level is 3, at least 1: the gate is open", { ok: true }, {});
  for (const [i, id] of input.layout.entries()) {
    const block = state.blocks.get(id);
    if (block === undefined) continue;
    const focus = { blocks: [id] } as unknown as Focus;
    depth = 0;
    parent = -1;
    emit("visit", 2, `${block.label} is visited`, { block: block.label }, focus);
    parent = events.length - 1;
    depth = 1;
    const withRpo = new Map(state.blocks).set(id, { ...block, rpo: i + 1, flags: block.preds.some((p) => p >= id) ? 0x10 : 0 });
    const cell: StructureDelta = {
      name: "edges",
      type: "hash-map",
      title: "Successor map",
      reset: false,
      cells: [
        [`n${i}`, { key: id, hash: id * 16777619, next: -1, value: [...block.succs] }],
        [`b${i % 8}`, { head: i, tail: i, count: 1 }],
        ["meta", { buckets: 8, count: i + 1, occupied: i + 1, load: (i + 1) / 8, longest: 1, resizes: 0 }],
      ],
    };
    emit("rpo-assign", 6, `${block.label} gets RPO number ${i + 1}`, { block: block.label, rpo: i + 1 }, focus, {
      ...state,
      blocks: withRpo,
      structures: [...state.structures, cell],
    });
    const refuse = !deletes || i !== 1;
    emit(
      "match",
      4,
      refuse ? `${block.label} stays: no candidate` : `${block.label} matches`,
      { verdict: refuse ? "no" : "yes", condition: "candidate" },
      focus,
    );
    if (!refuse) {
      const now = state.blocks.get(id) ?? block;
      const fewer = new Map(state.blocks).set(id, { ...now, insts: now.insts.slice(1) });
      emit(
        "inst-delete",
        5,
        `the first instruction of ${block.label} goes`,
        {},
        { ...focus, insts: block.insts.slice(0, 1).map((x) => x.id) } as unknown as Focus,
        { ...state, blocks: fewer },
        true,
      );
    }
  }
  return { events, states, changes };
}

function touches(event: TraceEvent, subject: Subject): boolean {
  if (subject.kind === "block") return (event.focus.blocks ?? []).some((b) => Number(b) === subject.id);
  return subject.kind === "inst" && (event.focus.insts ?? []).some((b) => Number(b) === subject.id);
}

export function createFakeEngine(): EngineApi {
  let module: FakeState = { blocks: new Map(), layout: [], structures: [] };
  let kernel: KernelInfo | null = null;
  let runs: { phase: PhaseRun; trace: FakeTrace | null; input: FakeState }[] = [];

  const stateAt = (run: number, step: number): FakeState => {
    const entry = runs[run];
    if (entry === undefined) return module;
    return step < 0 ? entry.input : (entry.trace?.states[step] ?? entry.input);
  };
  const after = (run: number): FakeState => stateAt(run, (runs[run]?.trace?.events.length ?? 0) - 1);
  const text = (s: FakeState) =>
    s.layout.flatMap((id) => {
      const b = s.blocks.get(id);
      return b ? [[b.id, -1, `${b.label}:`] as const, ...b.insts.map((i) => [b.id, i.id, `    ${i.text}`] as const)] : [];
    });
  const momentState = (m: { run: number; step: number | null }) =>
    m.run < 0 ? module : m.step === null ? after(m.run) : stateAt(m.run, m.step);

  return {
    version: () => "fake",
    open(revision, source, format): OpenResult {
      const { blocks, diagnostics, name } = read(source);
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
    },
    sourceAt: () => null,
    run(revision, name, options): RunResult {
      let state = module;
      runs = [];
      for (let position = -1; position < 159; position++) {
        const modelled = NAMES[position] !== undefined || position === -1;
        const ran = modelled && position !== 30 && position !== -1;
        const deletes = position === 15 || position === 29;
        const done = ran ? trace(state, deletes) : null;
        const out = done?.states.at(-1) ?? state;
        const count = (s: FakeState) => [...s.blocks.values()].reduce((n, b) => n + b.insts.length, 0);
        const phase: PhaseRun = {
          run: runs.length,
          phase: position < 0 ? null : position,
          group: position < 0 ? "cicc" : "ptxas",
          id: position < 0 ? "branch-folding" : (IDS[position] ?? `phase-${position}`),
          name: position < 0 ? "BranchFolding" : (NAMES[position] ?? `phase ${position}`),
          modelled,
          ran,
          reason: ran ? null : modelled ? "the gate is closed" : "not modelled",
          gates: [],
          changed: ran,
          blocks: [state.blocks.size, out.blocks.size],
          instructions: [count(state), count(out)],
          matches: 1,
          rewrites: deletes ? 1 : 0,
          figures: {},
          ms: 1,
          verifyErrors: [],
          check: null,
        };
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
    find(run, from, direction, command) {
      const events = runs[run]?.trace?.events ?? [];
      for (let s = from + direction; s >= 0 && s < events.length; s += direction) {
        const event = events[s];
        if (command.kind === "object" && event && touches(event, command.subject)) return s;
      }
      return null;
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
    checkCondition: (condition) => (condition.includes("=") ? null : "expected ="),
    history(run, subject) {
      const items = runs.flatMap((r) =>
        run !== null && r.phase.run !== run
          ? []
          : (r.trace?.events ?? [])
              .filter((e) => touches(e, subject))
              .map((e) => ({
                run: r.phase.run,
                phase: r.phase.name,
                step: e.step,
                kind: e.kind,
                sentence: e.sentence,
                facts: e.facts,
                focus: e.focus,
              })),
      );
      return { items, notes: [] };
    },
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
    analyses: (): Analyses => ({
      idom: [],
      ipdom: [],
      loops: [],
      retreatingEdges: [],
      irreducible: false,
      liveIn: [],
      liveOut: [],
      liveCut: null,
      divergent: [],
      divergenceCapped: false,
    }),
    text(moment) {
      const rows = text(momentState(moment));
      return {
        text: rows.map((r) => r[2]).join("\n"),
        blockOfLine: Int32Array.from(rows, (r) => r[0]),
        instOfLine: Int32Array.from(rows, (r) => r[1]),
      };
    },
    exec: () => ({
      status: "ok",
      at: null,
      message: "",
      returns: [],
      memory: {},
      counters: { warpInstructions: 10, laneInstructions: 320, branches: 2, divergentBranches: 1, maxSyncDepth: 0, loads: 1, stores: 1 },
      heat: [],
      diagnostics: [],
    }),
    align: () => ({
      ok: false,
      ours: { name: "", blocks: [] },
      real: { name: "", blocks: [] },
      candidates: [],
      pairs: [],
      decisions: [],
      score: 0,
      notes: [],
      diagnostics: [],
    }),
    exportAs: () => "digraph {}",
    phases: () => [],
    knobs: () => [],
    switches: () => ({ switches: [], head: null, report: null, blocks: [], policy: "notes" }),
    reducibility: () => ({ reducible: true, t1: 0, t2: 0, left: [] }),
    phiFree: () => null,
    registerLife: () => ({ input: null, stages: [] }),
    gvnModes: () => [],
    opcodes: () => [],
  };
}
