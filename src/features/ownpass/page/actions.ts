/** The user's pass: opening and editing it, its place, running it and removing it from the pipeline. */

import type { ActionContext } from "../../../app/session/context.ts";
import type { Begun } from "../../../app/session/feature.ts";
import type { CoreActions } from "../../../app/session/session.ts";
import type { Place } from "../../../engine/api/types.ts";
import { MAX_PASS } from "../../../links/link-data.ts";
import { answerEngine } from "./answer.ts";
import { inPipeline, isPhase, takeOut, updateLines } from "./own-phase.ts";
import { RunningPass } from "./running.ts";
import { lateSandbox, type MakeSandbox } from "./sandbox-port.ts";
import { type AsidePass, asideAfter, NO_PASS, type PassProblem, type WorkPass, withPass } from "./state.ts";

/** Quiet time after a key before the pass runs again. */
const DEBOUNCE_MS = 120;

const UNDO = { label: "Undo", command: "pass.undo" } as const;

export interface OpenedPass {
  readonly source: string;
  readonly title: string;
  readonly place?: Place | null;
  /** It came with a lab: it is only shown until the user runs it. */
  readonly linked?: boolean;
  /** One of the page's own, which can be chosen again. */
  readonly template?: boolean;
}

/** What is wrong with a source that is too long to be kept, and from where on; null: nothing. */
export function tooLongForPass(source: string): string | null {
  if (source.length <= MAX_PASS) return null;
  const line = source.slice(0, MAX_PASS).split("\n").length;
  const [has, most] = [source.length, MAX_PASS].map((n) => n.toLocaleString("en"));
  return `a pass may have ${most} characters, this one has ${has}: the limit is reached in line ${line}`;
}

export interface OwnPassActions {
  /** Another pass: a template, a file, a lab's. It does not run by itself; the one before is set aside. */
  open(pass: OpenedPass): void;
  /** The source as typed; a pass that is on runs again. */
  setSource(source: string): void;
  /** null: alone, without the pipeline. */
  setPlace(place: Place | null): void;
  /** The press: puts the pass into the pipeline. */
  run(): void;
  /** Removes the pass from the pipeline and stops it; the source stays. */
  stop(): void;
  /** Closes the pass and sets it aside. */
  remove(): void;
  /** Opens the pass again that was set aside last. */
  undo(): void;
  /** Whether every line that runs is a step. */
  setEveryLine(everyLine: boolean): void;
  setTypes(types: readonly PassProblem[]): void;
  /** Shows a line in the pass's editor; null: it was shown, and is not shown again when the tab is left and opened. */
  reveal(line: number | null): void;
}

export function ownPassActions(
  ctx: ActionContext,
  core: CoreActions,
  make: MakeSandbox,
): Begun & { readonly actions: { readonly ownpass: OwnPassActions } } {
  const sandbox = lateSandbox(make);
  const running = new RunningPass(ctx, core, sandbox);
  const actions: OwnPassActions = {
    ...fileActions(ctx, core, running),
    setPlace(place) {
      const { place: before, on, described } = ctx.get().ownpass;
      ctx.patch("ownpass", { place });
      const own = inPipeline(ctx.get());
      if (on && described !== null && isPhase(described, place) !== isPhase(described, before)) running.again(0);
      else if (own !== null) core.run.setOptions({ own: { ...own, at: place } });
    },
    run() {
      if (ctx.get().ownpass.source !== null) running.press();
    },
    stop() {
      running.halt();
      ctx.patch("ownpass", { on: false, running: false, report: null, analysis: null });
      takeOut(ctx, core);
    },
    setEveryLine(everyLine) {
      ctx.patch("ownpass", { everyLine });
      updateLines(ctx, core);
    },
    setTypes: (types) => ctx.patch("ownpass", { types }),
    reveal: (line) => ctx.patch("ownpass", { reveal: line === null ? null : { line } }),
  };
  return {
    actions: { ownpass: actions },
    prepare: (kernel, options) => (options.own == null ? null : answerEngine(ctx, sandbox, options.own, { kernel, options })),
    arrived: ({ phases }) => running.arrived(phases),
    replaced({ featureData: { pass } }) {
      // Another pass came, or none: what the one before was at ends.
      if (pass !== undefined) running.halt();
    },
    dispose: running.dispose,
  };
}

/** The file: a user opens it, types in it, closes it, and opens it again. */
function fileActions(
  ctx: ActionContext,
  core: CoreActions,
  running: RunningPass,
): Pick<OwnPassActions, "open" | "setSource" | "remove" | "undo"> {
  const slice = () => ctx.get().ownpass;

  /** Another pass in place of the open one, which is set aside and can be had again. */
  const exchange = (source: string | null, next: (aside: readonly AsidePass[]) => WorkPass) => {
    const before = slice();
    const aside = asideAfter(before);
    running.halt();
    ctx.patch("ownpass", withPass(before, next(aside)));
    takeOut(ctx, core);
    if (aside !== before.aside && before.source !== source)
      ctx.notify("info", `The pass “${before.title}” ${source === null ? "was closed" : "was replaced"}.`, UNDO);
  };

  return {
    open({ source, title, place = null, linked = false, template = false }) {
      const problem = tooLongForPass(source);
      if (problem !== null) ctx.notify("error", `“${title}” cannot be opened: ${problem}.`);
      else if (source !== slice().source) exchange(source, (aside) => ({ source, title, linked, written: !template, aside, place }));
    },
    setSource(source) {
      const { source: before, revision, on } = slice();
      if (source === before) return;
      const problem = tooLongForPass(source);
      if (problem !== null) {
        ctx.notify("error", `The change was not made: ${problem}.`);
        return;
      }
      ctx.patch("ownpass", { source, revision: revision + 1, written: true });
      if (on) running.again(DEBOUNCE_MS);
    },
    remove: () => exchange(null, (aside) => ({ ...NO_PASS, aside })),
    undo() {
      const last = slice().aside.at(-1);
      if (last === undefined) ctx.notify("info", "There is no closed pass to open again.");
      else
        exchange(last.source, (aside) => ({ ...last, linked: false, written: true, aside: aside.filter((a) => a.source !== last.source) }));
    },
  };
}
