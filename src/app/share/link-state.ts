/** Between the session's subjects, breakpoints and view and what a link holds of them. */

import type { Breakpoint, Subject } from "../../engine/api/types.ts";
import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";
import { type LinkBreakpoint, type LinkData, type LinkSubject, MAX_CONDITION } from "../../links/link-data.ts";
import type { Feature } from "../session/feature.ts";
import type { MomentState } from "../session/moment.ts";
import { openedBy, placeNamed } from "../session/places.ts";
import { type BreakpointEntry, EDITOR_TABS, OVERLAYS, presetNamed, type ViewSlice } from "../session/state.ts";

export function toLinkSubject(subject: Subject, moment: MomentState | null): LinkSubject | null {
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

export function toLinkBreakpoint({ breakpoint, enabled }: BreakpointEntry, moment: MomentState | null): readonly LinkBreakpoint[] {
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
export function viewOfLink(features: readonly Feature[], data: LinkData, view: ViewSlice, others: boolean): Partial<ViewSlice> {
  const { tab, top, bottom, centre, overlay, layout } = data.view;
  const preset = others ? presetNamed(layout) : undefined;
  const known = (name: unknown, all: readonly (string | undefined)[], now: string): string => all.find((one) => one === name) ?? now;
  const editorTab = known(tab, [...EDITOR_TABS, ...features.map((f) => f.editorTab?.id)], view.editorTab);
  // Links of earlier versions name two stacks of tabs, of which `top` counts in the layout `step` only, and a tab `diff`, which is Compare today.
  const place = tab === "diff" ? placeNamed(features, "compare") : placeNamed(features, layout === "step" ? top : bottom);
  return {
    ...(preset === undefined ? {} : { preset, ownPreset: view.ownPreset ?? view.preset, large: null }),
    editorTab,
    centre: centre === "outline" ? "outline" : "graph",
    overlay: known(overlay, [...OVERLAYS, ...features.map((f) => f.graphOverlay?.id)], view.overlay),
    ...(place === null ? {} : { open: openedBy(place, view.open) }),
  };
}
