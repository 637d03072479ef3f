/** The text: typing it, and opening another program in its place. */

import type { PipelineOptions, SourceFormat } from "../../../engine/api/types.ts";
import { withoutHidden } from "../../../links/hidden.ts";
import { plural } from "../../ui/plural.ts";
import type { ActionContext } from "../context.ts";
import type { Begun, Feature, ProgramPart } from "../feature.ts";
import type { Destination } from "../position/place.ts";
import { selectKernel, selectStale } from "../selectors.ts";
import type { DocumentSlice, OptionsSlice, Origin, SessionState, ViewSlice } from "../state.ts";
import {
  createPrograms,
  type FeatureData,
  isBlank,
  isOtherAfterClearing,
  isOtherProgram,
  newProgram,
  type Program,
  programOf,
} from "./programs.ts";
import { readText } from "./read-text.ts";

/** Delay after a key before the request to the engine. */
const DEBOUNCE_MS = 45;

/** More characters than this are refused with a message: nothing that size could be shown usefully. */
export const MAX_TEXT = 8_000_000;

/** The message for a text over the limit. */
export function tooLong(what: string, length: number): string {
  return `${what} has ${plural(length, "character")}; the limit is ${MAX_TEXT.toLocaleString("en")}.`;
}

export interface OpenedText extends FeatureData {
  readonly text: string;
  readonly title: string;
  readonly format?: SourceFormat | null;
  readonly example?: string | null;
  /** Absent for the user's own program, such as a file. */
  readonly origin?: Origin;
  /** Id of the saved work. */
  readonly work?: string | null;
  readonly unclaimed?: DocumentSlice["unclaimed"];
  /** How it is run, if not with the defaults. */
  readonly pipeline?: Partial<PipelineOptions>;
  readonly kernel?: string | null;
  /** What is shown of it. */
  readonly view?: Partial<ViewSlice>;
  /** Where it opens; the default is its start. */
  readonly destination?: Destination;
}

export interface DocumentActions {
  /** The text as typed, pasted or undone. */
  setText(text: string): void;
  /**
   * Opens a different program: an example, file, link or saved work. Text, options, place and the features' parts change in one step.
   * The given format is used only where the text does not show its own.
   */
  openText(opened: OpenedText): void;
  /** The name of the program and the id it is saved under, which are not an edit. A saved program is no longer a link. */
  keepAs(part: { readonly work: string; readonly title: string }): void;
  setFormat(format: SourceFormat | null): void;
  /** Rewrites the text with the PHIs of the open kernel replaced by copies, as an edit, and reports what was done. */
  takePhisOut(): Promise<void>;
  /** Asks the engine about the text now. */
  refresh(): void;
  /** After a crash: pending requests are forgotten. */
  reset(): void;
}

/** What replacing the program needs from the rest of the session. */
interface Surroundings {
  readonly run: { request(): void; refreshTables(): void };
  readonly features: readonly Feature[];
  readonly begun: readonly Begun[];
}

export function documentActions(ctx: ActionContext, { run, features, begun }: Surroundings): DocumentActions {
  const reading = readText(ctx, run.request);
  const programs = createPrograms();
  /** The text that was cleared; what is typed next is a different program, unless it is the same text. */
  let cleared: Pick<Program, "text" | "edited"> | null = null;

  const changed = (part: Partial<DocumentSlice>, delay: number) => {
    const state = ctx.get();
    ctx.patchAll({
      document: { ...part, revision: state.document.revision + 1 },
      run: { stale: state.run.result !== null },
    });
    reading.request(delay);
  };
  /** A different program replaces the open one. */
  const replace = (program: Program, delay: number, shown: Shown = {}) => {
    const state = ctx.get();
    const parts = features.flatMap((feature) => feature.program ?? []);
    const featureData: FeatureData = Object.assign({}, ...parts.map((part) => part.remember(state, program)));
    programs.remember({ ...programOf(state, featureData), ...cleared });
    cleared = null;
    const changes = withProgram(program, state, parts, shown);
    ctx.patchAll(changes);
    for (const one of begun) one.replaced?.(program);
    if (changes.options.pipeline !== state.options.pipeline) run.refreshTables();
    reading.request(delay);
  };

  return {
    setText(text) {
      const state = ctx.get();
      const { document } = state;
      if (text === document.text) return;
      if (text.length > MAX_TEXT) {
        ctx.notify("error", tooLong("The text", text.length));
        return;
      }
      const program = programIn(text, state, programs.withText(text), cleared?.text ?? null);
      if (program !== null) {
        replace(program, DEBOUNCE_MS);
        return;
      }
      if (!isBlank(text)) cleared = null;
      else if (!isBlank(document.text)) cleared = { text: document.text, edited: document.edited };
      changed({ text, edited: true }, DEBOUNCE_MS);
    },
    openText({ text, title: given, format = null, pipeline = {}, kernel = null, view, destination, ...rest }) {
      const title = withoutHidden(given);
      if (text.length > MAX_TEXT) {
        ctx.notify("error", tooLong(title, text.length));
        return;
      }
      const { example = null, origin = "own", work = null, unclaimed = {}, ...featureData } = rest;
      const program = newProgram(ctx.get(), { text, title, example, origin, work, unclaimed, edited: false, featureData });
      const options = { kernel, pipeline: { ...program.options.pipeline, ...pipeline } };
      replace({ ...program, options }, 0, { view, destination });
      // Not set immediately: it would still apply to the next text pasted over this one.
      reading.expect(format);
    },
    keepAs: (part) => ctx.patch("document", { ...part, origin: ctx.get().document.origin === "link" ? "own" : ctx.get().document.origin }),
    setFormat(format) {
      changed({ format }, 0);
    },
    takePhisOut: () => takePhisOut(ctx, (text) => changed({ text, edited: true }, 0)),
    refresh: reading.requestNow,
    reset: reading.reset,
  };
}

/** The program that replaces the open one with this text: `former`, which had the text, or a new one; null if it is an edit. */
function programIn(text: string, state: SessionState, former: Program | null, cleared: string | null): Program | null {
  const { work, title, origin, format, text: before } = state.document;
  // A replacement was undone, or done again.
  if (former !== null && (former.work !== work || former.title !== title || former.origin !== origin)) return { ...former, text };
  const other = cleared === null ? isOtherProgram(before, text) : isOtherAfterClearing(cleared, text);
  return other ? newProgram(state, { text, edited: true, format }) : null;
}

async function takePhisOut(ctx: ActionContext, write: (text: string) => void): Promise<void> {
  const state = ctx.get();
  const kernel = selectKernel(state);
  const { revision } = state.document;
  if (kernel === null || selectStale(state)) return;
  try {
    const free = await ctx.api.phiFree(kernel.name);
    // Typed meanwhile: the answer belongs to a text that was replaced.
    if (free === null || ctx.get().document.revision !== revision) return;
    if (!free.ok) ctx.notify("error", free.sentence);
    else {
      write(free.text);
      ctx.notify("info", `${free.sentence} Undo in the editor restores the PHIs.`);
    }
  } catch (error) {
    ctx.report("The PHIs could not be replaced")(error);
  }
}

/** What is shown of an opened program, and where. */
interface Shown {
  readonly view?: Partial<ViewSlice> | undefined;
  readonly destination?: Destination | undefined;
}

/** What changes in the state when the program replaces the open one. */
function withProgram(program: Program, state: SessionState, parts: readonly ProgramPart[], shown: Shown) {
  const { options: _, breakpoints, featureData: __, ...part } = program;
  const { options, ...slices } = slicesOf(parts, program, state);
  const revision = state.document.revision + 1;
  return {
    // The old program's selection means nothing in the new one.
    selection: { selected: null, hovered: null, line: null },
    options,
    breakpoints: { list: breakpoints },
    view: { refused: null, ...shown.view },
    ...slices,
    ...(shown.destination === undefined ? {} : { position: { destination: shown.destination } }),
    engine: { linked: null },
    document: { ...part, revision, since: revision },
    run: { stale: state.run.result !== null },
  };
}

/** The options and the features' slices of the program that replaces the open one. */
function slicesOf(
  parts: readonly ProgramPart[],
  program: Program,
  state: SessionState,
): { readonly options: OptionsSlice } & Partial<SessionState> {
  // A user's pass in the pipeline is kept, unless a feature says otherwise.
  const own = state.options.pipeline.own ?? null;
  const { pipeline } = program.options;
  let options = (pipeline.own ?? null) === own ? program.options : { ...program.options, pipeline: { ...pipeline, own } };
  const slices: Partial<SessionState>[] = [];
  for (const part of parts) {
    const opened = part.open({ ...program, options }, state);
    options = opened.options ?? options;
    slices.push(opened);
  }
  return Object.assign({}, ...slices, { options });
}
