/** Between the session's state and what a link holds. */

import type { Breakpoint, Subject } from "../../engine/api/types.ts";
import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";
import {
  EMPTY_LINK,
  type LinkBreakpoint,
  type LinkData,
  type LinkPass,
  type LinkSubject,
  MAX_BREAKPOINTS,
  MAX_CONDITION,
  MAX_PASS,
  MAX_TITLE,
} from "../../share/link-data.ts";
import { toLinkFutures } from "../futures/link.ts";
import type { MomentState } from "../session/moment.ts";
import { nameOfRun } from "../session/position/place.ts";
import { selectPhases } from "../session/selectors.ts";
import { type BreakpointEntry, EDITOR_TABS, OVERLAYS, PRESETS, type SessionState, type ViewSlice } from "../session/state.ts";

export function linkOf(state: SessionState): LinkData {
  const { document, options, position, run, selection, breakpoints, view, engine } = state;
  const { pipeline } = options;
  const phase = nameOfRun(selectPhases(state), position.run);
  const { moment } = position;
  return {
    ...EMPTY_LINK,
    engine: engine.version,
    build: engine.chosen?.build ?? engine.build,
    source: document.text,
    example: document.example,
    title: document.title.slice(0, MAX_TITLE),
    format: document.format,
    kernel: options.kernel,
    target: pipeline.target,
    level: pipeline.level,
    policy: pipeline.policy,
    knobs: [...pipeline.knobs],
    noPhases: [...pipeline.noPhases],
    namedPhases: [...pipeline.namedPhases],
    phases: pipeline.phases === null ? null : [...pipeline.phases],
    until: pipeline.until,
    fuel: pipeline.fuel,
    interventions: (pipeline.interventions ?? []).map((i) => ({ ...i })),
    ...toLinkFutures(options.futures),
    pass: toLinkPass(state),
    phase: phase?.id ?? null,
    occurrence: phase?.occurrence ?? 0,
    step: position.step,
    selection: selection.selected === null ? null : toLinkSubject(selection.selected, moment),
    view: {
      tab: view.editorTab,
      top: view.inspectors.top,
      bottom: view.inspectors.bottom,
      centre: view.centre,
      overlay: view.overlay,
      ...(view.preset === "explore" ? {} : { layout: view.preset }),
    },
    breakpoints: breakpoints.list.flatMap((entry) => toLinkBreakpoint(entry, moment)).slice(0, MAX_BREAKPOINTS),
    digest: run.stale ? null : (run.result?.digest ?? null),
  };
}

function toLinkPass({ ownpass }: SessionState): LinkPass | null {
  const { source, title, place } = ownpass;
  if (source === null || source.length > MAX_PASS) return null;
  return { title: title.slice(0, MAX_TITLE), source, at: place === null ? null : { ...place } };
}

function toLinkSubject(subject: Subject, moment: MomentState | null): LinkSubject | null {
  const label = (id: number) => moment?.blocks.get(id)?.label;
  switch (subject.kind) {
    case "block": {
      const name = label(subject.id);
      return name === undefined ? null : { kind: "block", label: name };
    }
    case "edge": {
      const [from, to] = [label(subject.from), label(subject.to)];
      return from === undefined || to === undefined ? null : { kind: "edge", from, to };
    }
    case "inst":
      return { kind: "inst", id: subject.id };
    case "reg":
      return { kind: "reg", name: subject.name };
    case "node":
      return { kind: "node", name: subject.name };
  }
}

function toLinkBreakpoint({ breakpoint, enabled }: BreakpointEntry, moment: MomentState | null): readonly LinkBreakpoint[] {
  switch (breakpoint.kind) {
    case "subject": {
      const subject = toLinkSubject(breakpoint.subject, moment);
      return subject === null ? [] : [{ kind: "subject", subject, enabled }];
    }
    case "event":
      return [{ kind: "event", event: breakpoint.event, enabled }];
    case "line":
      return [{ kind: "line", line: breakpoint.line, enabled }];
    case "condition":
    case "watch":
      return breakpoint.text.length > MAX_CONDITION ? [] : [{ kind: breakpoint.kind, text: breakpoint.text, enabled }];
  }
}

/** The subject in a moment; null when its block isn't there. */
export function fromLinkSubject(subject: LinkSubject, moment: MomentState): Subject | null {
  const id = (label: string) => [...moment.blocks.values()].find((b) => b.label === label)?.id;
  switch (subject.kind) {
    case "block": {
      const block = id(subject.label);
      return block === undefined ? null : { kind: "block", id: block };
    }
    case "edge": {
      const [from, to] = [id(subject.from), id(subject.to)];
      return from === undefined || to === undefined ? null : { kind: "edge", from, to };
    }
    case "inst":
    case "reg":
    case "node":
      return subject;
  }
}

const isKind = (text: string): text is EventKind => (EVENT_KINDS as readonly string[]).includes(text);

export function fromLinkBreakpoints(list: readonly LinkBreakpoint[], moment: MomentState): readonly BreakpointEntry[] {
  return list.flatMap((b): readonly BreakpointEntry[] => {
    const breakpoint = fromLinkBreakpoint(b, moment);
    return breakpoint === null ? [] : [{ breakpoint, enabled: b.enabled }];
  });
}

function fromLinkBreakpoint(b: LinkBreakpoint, moment: MomentState): Breakpoint | null {
  switch (b.kind) {
    case "subject": {
      const subject = fromLinkSubject(b.subject, moment);
      return subject === null ? null : { kind: "subject", subject };
    }
    case "event":
      return isKind(b.event) ? { kind: "event", event: b.event } : null;
    case "line":
      return { kind: "line", line: b.line };
    case "condition":
    case "watch":
      return { kind: b.kind, text: b.text };
  }
}

/** The parts of the view that a link sets, of another's link its arrangement as well; what it says in words unknown here is ignored. */
export function viewOfLink(data: LinkData, view: ViewSlice, others: boolean): Partial<ViewSlice> {
  const { tab, top, bottom, centre, overlay, layout } = data.view;
  const preset = others ? PRESETS.find((p) => p === layout) : undefined;
  const editorTab = EDITOR_TABS.find((t) => t === tab) ?? view.editorTab;
  return {
    ...(preset === undefined ? {} : { preset, ownPreset: view.ownPreset ?? view.preset, large: null }),
    editorTab,
    centre: centre === "outline" ? "outline" : "graph",
    overlay: OVERLAYS.find((o) => o === overlay) ?? view.overlay,
    inspectors: {
      top: typeof top === "string" ? top : view.inspectors.top,
      bottom: typeof bottom === "string" ? bottom : view.inspectors.bottom,
    },
  };
}
