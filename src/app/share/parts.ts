/** What a work's record is made of: links, saved cases and works are all written and read through these parts and those of features. A program is opened in one change of the state. */

import * as v from "valibot";
import { EMPTY_LINK, type LinkData, MAX_BREAKPOINTS, MAX_TITLE, passSchema } from "../../links/link-data.ts";
import type { OpenedText } from "../session/actions/document.ts";
import { type Feature, initialState } from "../session/feature.ts";
import { nameOfOpened } from "../session/places.ts";
import { nameOfRun, type StepTarget } from "../session/position/place.ts";
import { selectPhases } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { NO_MORE, type RecordOnly, type Source, type WorkData, type WorkPart } from "../session/work-part.ts";
import { toLinkBreakpoint, toLinkSubject, viewOfLink } from "./link-state.ts";

const never = (): boolean => false;

const TEXT: WorkPart = {
  write: ({ document }) => ({
    source: document.text,
    example: document.example,
    title: document.title.slice(0, MAX_TITLE),
    format: document.format,
  }),
  open: ({ title, format, example }) => ({ title: title || "linked program", format, example }),
  changed: ({ document }, { document: before }) =>
    document.revision !== before.revision || document.title !== before.title || document.format !== before.format,
  // A text that was only cleared is not the user's work.
  made: ({ document }) => document.edited && /\S/.test(document.text),
  typed: ({ document }) => [document.revision],
  length: ({ document }) => document.text.length,
};

/** How it is run. */
const RUN: WorkPart = {
  write({ options: { kernel, pipeline } }) {
    const { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel, interventions = [] } = pipeline;
    return {
      kernel,
      target,
      level,
      policy,
      knobs: [...knobs],
      noPhases: [...noPhases],
      namedPhases: [...namedPhases],
      phases: phases === null ? null : [...phases],
      until,
      fuel,
      interventions: interventions.map((i) => ({ ...i })),
    };
  },
  open(data) {
    const { kernel, target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel, interventions } = data;
    return { kernel, pipeline: { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel, interventions } };
  },
  changed: (state, before) => state.options !== before.options,
  made: never,
};

/** The open phase and step, or those being loaded. */
function placeOf(state: SessionState): Pick<LinkData, "phase" | "occurrence" | "step"> {
  const { destination, run, step, landing, state: at } = state.position;
  const number = (target: StepTarget): number | null => (target === "end" ? null : typeof target === "number" ? target : -1);
  if (destination !== null && destination.id !== null)
    return { phase: destination.id, occurrence: destination.occurrence, step: number(destination.step) };
  const phase = nameOfRun(selectPhases(state), run);
  return { phase: phase?.id ?? null, occurrence: phase?.occurrence ?? 0, step: at === "tracing" ? number(landing) : step };
}

const PLACE: WorkPart = {
  write(state) {
    const { position, selection, breakpoints } = state;
    return {
      ...placeOf(state),
      selection: selection.selected === null ? null : toLinkSubject(selection.selected, position.moment),
      breakpoints: breakpoints.list.flatMap((entry) => toLinkBreakpoint(entry, position.moment)).slice(0, MAX_BREAKPOINTS),
    };
  },
  // Selection and breakpoints name blocks by their labels: they are resolved when the program is loaded (`open-link.ts`).
  open: ({ phase, step, occurrence }) => (phase === null ? {} : { destination: { id: phase, step: step ?? "end", occurrence } }),
  changed: ({ position, breakpoints }, before) =>
    position.step !== before.position.step || position.run !== before.position.run || breakpoints.list !== before.breakpoints.list,
  made: never,
};

const viewPart = (features: readonly Feature[]): WorkPart => ({
  write: ({ view }) => ({
    view: {
      tab: view.editorTab,
      bottom: nameOfOpened(view.open),
      centre: view.centre,
      overlay: view.overlay,
      ...(view.preset === "study" ? {} : { layout: view.preset }),
    },
  }),
  open: (data, { view }, from) => ({ view: viewOfLink(features, data, view, from === "link") }),
  changed: (state, before) => state.view !== before.view,
  made: never,
});

const ENGINE: WorkPart = {
  write: ({ engine, run }) => ({
    engine: engine.version,
    build: engine.chosen?.build ?? engine.build,
    digest: run.stale ? null : (run.result?.digest ?? null),
  }),
  open: () => ({}),
  changed: never,
  made: never,
};

const PARTS: readonly WorkPart[] = [ENGINE, TEXT, RUN, PLACE];

type Parts = Pick<Session, "features">;

/** Those of the page itself, and those that features add. */
export const partsOf = ({ features }: Parts): readonly WorkPart[] => [
  ...PARTS,
  viewPart(features),
  ...features.flatMap(({ work }) => work ?? []),
];

/** What a link and a saved case contain of a program. */
export function linkOf(session: Parts, state: SessionState): LinkData {
  const unclaimed = Object.entries(state.document.unclaimed).filter(([field]) => field in EMPTY_LINK);
  const data: LinkData = { ...EMPTY_LINK, ...Object.fromEntries(unclaimed) };
  return partsOf(session).reduce((written, part) => Object.assign(written, part.write(state)), data);
}

/** The content of a program's record. */
export function recordOf(session: Parts, state: SessionState): WorkData {
  const data = { ...NO_MORE, ...state.document.unclaimed, ...linkOf(session, state) };
  return partsOf(session).reduce<WorkData>((record, part) => Object.assign(record, part.keep?.(state)), data);
}

/** Everything that a record opens except its text, for one change of the session's state. */
export function openedBy(session: Parts, data: WorkData, state: SessionState, from: Source): Omit<OpenedText, "text"> {
  const { title } = data;
  return partsOf(session).reduce<Omit<OpenedText, "text">>((opened, part) => Object.assign(opened, part.open(data, state, from)), {
    title,
    unclaimed: unclaimedBy(session, data, state),
  });
}

/** The fields that no part writes: those of absent features. */
function unclaimedBy(session: Parts, data: WorkData, state: SessionState): Partial<WorkData> {
  const claimed = partsOf(session).flatMap((part) => Object.keys({ ...part.write(state), ...part.keep?.(state) }));
  return Object.fromEntries(Object.entries(data).filter(([field]) => !claimed.includes(field)));
}

export const changedSince = (session: Parts, state: SessionState, before: SessionState): boolean =>
  partsOf(session).some((part) => part.changed(state, before));
export const madeSince = (session: Parts, state: SessionState, opened: SessionState): boolean =>
  partsOf(session).some((part) => part.made(state, opened));

/** The user's texts that stayed open while another program replaced theirs: made, and typed before it came. */
export function staysFrom(session: Parts, state: SessionState, before: SessionState): boolean {
  const nothing = initialState(session.features);
  return partsOf(session).some(({ made, typed }) => {
    const former = typed?.(before);
    return former !== undefined && made(state, nothing) && typed?.(state).every((text, i) => text === former[i]) === true;
  });
}

/** The typed texts of a state: if one of these differs, a text was changed. */
export const typedIn = (session: Parts, state: SessionState): readonly unknown[] =>
  partsOf(session).flatMap((part) => part.typed?.(state) ?? []);

/** Its characters. */
export const lengthOf = (session: Parts, state: SessionState): number =>
  partsOf(session).reduce((sum, part) => sum + (part.length?.(state) ?? 0), 0);

/** The fields that only a record contains, as stored; what cannot be read is left out. */
export function readRecordOnly(data: unknown): RecordOnly {
  if (typeof data !== "object" || data === null) return NO_MORE;
  const { aside, linked, second } = data as Readonly<Record<string, unknown>>;
  return {
    aside: Array.isArray(aside) ? aside.filter((one) => v.is(passSchema, one)) : [],
    linked: linked === true,
    second: typeof second === "string" ? second : "",
  };
}
