/**
 * What a work's record is made of. Each part of the page says what it adds, how that is read back, when it has changed, and whether a user made it; links, saved cases and
 * kept works are all written and read through this list. A program is opened from it in one change of the session's state.
 */

import * as v from "valibot";
import { EMPTY_LINK, type LinkData, type LinkPass, MAX_BREAKPOINTS, MAX_TITLE, passSchema } from "../../share/link-data.ts";
import { fromLinkFutures, toLinkFutures } from "../futures/link.ts";
import { interventionsOf } from "../futures/tree.ts";
import { type AsidePass, MOST_ASIDE, NO_PASS, type OwnPassSlice, workPass } from "../ownpass/state.ts";
import type { OpenedText } from "../session/actions/document.ts";
import { nameOfOpened } from "../session/places.ts";
import { nameOfRun, type StepTarget } from "../session/position/place.ts";
import { selectPhases } from "../session/selectors.ts";
import type { SessionState } from "../session/state.ts";
import { toLinkBreakpoint, toLinkSubject, viewOfLink } from "../share/link-state.ts";

/** What a record holds beyond what a link does. */
export interface RecordOnly {
  /** Passes that were closed and can be opened again. */
  readonly aside: readonly LinkPass[];
  /** The pass is a stranger's, and has not been run. */
  readonly linked: boolean;
}

/** The content of a record. */
export type WorkData = LinkData & RecordOnly;

export type Source = "link" | "file" | "record";

export interface WorkPart {
  /** Its fields of a link, a case and a record. */
  write(state: SessionState): Partial<LinkData>;
  /** Its fields that a record alone holds. */
  keep?(state: SessionState): Partial<RecordOnly>;
  /** What its fields, checked, open. A record says everything of its work; links and files may leave a part alone. */
  open(data: WorkData, state: SessionState, from: Source): Partial<OpenedText>;
  /** It is another than before: the record is due. */
  changed(state: SessionState, before: SessionState): boolean;
  /** A user has made something of it since the program was opened: then it is their work, and no longer only looked at. */
  made(state: SessionState, opened: SessionState): boolean;
}

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
  // A text that was only cleared away is nobody's.
  made: ({ document }) => document.edited && /\S/.test(document.text),
};

/** How it is run: the options, and the futures, whose open one is among the options. */
const RUN: WorkPart = {
  write({ options: { kernel, pipeline, futures } }) {
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
      ...toLinkFutures(futures),
    };
  },
  open(data) {
    const { kernel, target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel } = data;
    const futures = fromLinkFutures(data);
    const interventions = interventionsOf(futures);
    return { kernel, futures, pipeline: { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel, interventions } };
  },
  changed: (state, before) => state.options !== before.options,
  made: ({ options }, opened) => options.futures.list !== opened.options.futures.list,
};

const PASS: WorkPart = {
  write: ({ ownpass }) => ({ pass: ownpass.source === null ? null : toLinkPass({ ...ownpass, source: ownpass.source }) }),
  keep: ({ ownpass }) => ({ aside: ownpass.aside.map(toLinkPass), linked: ownpass.linked }),
  open({ pass, linked, ...record }, { ownpass }, from) {
    const whole = from === "record";
    if (pass === null && !whole) return {};
    const aside = record.aside.map((one): AsidePass => ({ source: one.source, title: one.title, place: one.at }));
    // The very same stays open, and goes on if it runs.
    const same = pass?.source === ownpass.source && (!whole || JSON.stringify(aside) === JSON.stringify(ownpass.aside));
    if (same) return {};
    if (pass === null) return { pass: { ...workPass(NO_PASS), aside } };
    return { pass: { source: pass.source, title: pass.title, place: pass.at, linked: linked || !whole, written: true, aside } };
  },
  changed: ({ ownpass }, { ownpass: before }) =>
    ownpass.revision !== before.revision || ownpass.place !== before.place || ownpass.aside !== before.aside,
  made: ({ ownpass }, { ownpass: opened }) =>
    ownpass.aside !== opened.aside || (ownpass.written && ownpass.source !== opened.source && ownpass.source !== null),
};

function toLinkPass({ source, title, place }: AsidePass & Partial<OwnPassSlice>): LinkPass {
  return { title: title.slice(0, MAX_TITLE), source, at: place === null ? null : { ...place } };
}

/** The open phase and step; while these are on their way, those. */
function placeOf(state: SessionState): Pick<LinkData, "phase" | "occurrence" | "step"> {
  const { wish, run, step, landing, state: at } = state.position;
  const number = (target: StepTarget): number | null => (target === "end" ? null : typeof target === "number" ? target : -1);
  if (wish !== null && wish.id !== null) return { phase: wish.id, occurrence: wish.occurrence, step: number(wish.step) };
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
  // Selection and breakpoints name blocks by their labels: they are found when the program is there (`open-link.ts`).
  open: ({ phase, step, occurrence }) => (phase === null ? {} : { wish: { id: phase, step: step ?? "end", occurrence } }),
  changed: ({ position, breakpoints }, before) =>
    position.step !== before.position.step || position.run !== before.position.run || breakpoints.list !== before.breakpoints.list,
  made: never,
};

const VIEW: WorkPart = {
  write: ({ view }) => ({
    view: {
      tab: view.editorTab,
      bottom: nameOfOpened(view.open),
      centre: view.centre,
      overlay: view.overlay,
      ...(view.preset === "study" ? {} : { layout: view.preset }),
    },
  }),
  open: (data, { view }, from) => ({ view: viewOfLink(data, view, from === "link") }),
  changed: (state, before) => state.view !== before.view,
  made: never,
};

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

const PARTS: readonly WorkPart[] = [ENGINE, TEXT, RUN, PASS, PLACE, VIEW];

/** What a link and a saved case hold of the open program. */
export function linkOf(state: SessionState): LinkData {
  return PARTS.reduce((data, part) => Object.assign(data, part.write(state)), { ...EMPTY_LINK });
}

/** The content of the open program's record. */
export function recordOf(state: SessionState): WorkData {
  return PARTS.reduce<WorkData>((data, part) => Object.assign(data, part.keep?.(state)), { ...linkOf(state), ...NO_MORE });
}

/** Everything that a record opens but its text, for one change of the session's state. */
export function openedBy(data: WorkData, state: SessionState, from: Source): Omit<OpenedText, "text"> {
  const title = data.title;
  return PARTS.reduce<Omit<OpenedText, "text">>((opened, part) => Object.assign(opened, part.open(data, state, from)), { title });
}

export const changedSince = (state: SessionState, before: SessionState): boolean => PARTS.some((part) => part.changed(state, before));
export const madeSince = (state: SessionState, opened: SessionState): boolean => PARTS.some((part) => part.made(state, opened));

export const NO_MORE: RecordOnly = { aside: [], linked: false };

/** The fields that only a record holds, as they were stored; what cannot be read is left out. */
export function readRecordOnly(data: unknown): RecordOnly {
  if (typeof data !== "object" || data === null) return NO_MORE;
  const { aside, linked } = data as Readonly<Record<string, unknown>>;
  return { aside: Array.isArray(aside) ? aside.slice(-MOST_ASIDE).filter((one) => v.is(passSchema, one)) : [], linked: linked === true };
}
