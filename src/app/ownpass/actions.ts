/** The user's pass: opening and editing it, its place, running it and removing it from the pipeline. */

import type { OwnPhase, OwnSaid, PhaseRun, PipelineOptions, Place } from "../../engine/api/types.ts";
import { MAX_PASS } from "../../share/link-data.ts";
import { isOwnPhase } from "../names/phases.ts";
import type { ActionContext } from "../session/context.ts";
import type { Begun } from "../session/feature.ts";
import { createPump } from "../session/pump.ts";
import type { CoreActions } from "../session/session.ts";
import { analysisPump, selectAnalysis } from "./analysis.ts";
import { codeOf, loadPass } from "./compiler.ts";
import type { MakeSandbox, PassSandbox } from "./sandbox-port.ts";
import { type AsidePass, asideAfter, NO_PASS, type PassProblem, type WorkPass, withPass } from "./state.ts";

/** Quiet time after a key before the pass runs again. */
const DEBOUNCE_MS = 120;
/** Steps of a trace that are statements of the source: more make it slow after each key. */
const MOST_LINES = 5_000;

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

declare module "../session/session.ts" {
  interface SessionActions {
    readonly ownpass: OwnPassActions;
  }
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
  /** Takes the pass out of the pipeline and ends what it is at; the source stays. */
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
  { run: { request, setOptions }, position }: CoreActions,
  make: MakeSandbox,
): Begun & { readonly actions: { readonly ownpass: OwnPassActions } } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sandbox: Promise<PassSandbox> | null = null;
  let started: PassSandbox | null = null;
  /** Run was pressed, and the result that shows it is on its way. */
  let arriving = false;
  /** Run was pressed on a pass that failed: pressed again, it shows whether it fails again. */
  let afresh = false;
  const slice = () => ctx.get().ownpass;
  const inPipeline = () => ctx.get().options.pipeline.own ?? null;

  const sandboxed = async (): Promise<PassSandbox> => {
    sandbox ??= make();
    try {
      started = await sandbox;
      return started;
    } catch (error) {
      // The next press tries again.
      sandbox = null;
      throw error;
    }
  };
  /** After Run, the analysis's result is shown. */
  const showOverlay = () => ctx.patch("view", { overlay: "own" });
  const takeOut = () => {
    if (inPipeline() !== null) setOptions({ own: null });
  };

  const arrive = (phases: readonly PhaseRun[]) => {
    const phase = arriving ? phases.find(isOwnPhase) : undefined;
    if (phase === undefined) return;
    arriving = false;
    position.goToPhase(phase.id, "change");
  };

  /** Lines of the source that are steps. */
  const linesOf = (source: string): readonly number[] | null => {
    const { ownpass, breakpoints } = ctx.get();
    if (ownpass.everyLine) return null;
    const count = source.split("\n").length;
    const lines = breakpoints.list.flatMap(({ enabled, breakpoint: b }) =>
      enabled && b.kind === "line" && b.line >= 1 && b.line <= count ? [b.line] : [],
    );
    return lines.sort((a, b) => a - b);
  };
  const relist = () => {
    const own = inPipeline();
    if (own === null) return;
    const lines = linesOf(own.source);
    if (JSON.stringify(lines) !== JSON.stringify(own.lines)) setOptions({ own: { ...own, lines } });
  };
  const analyse = analysisPump(ctx, sandboxed);
  const look = () => {
    const { on, described } = slice();
    if (on && described?.kind === "analysis") analyse.request();
  };

  const pump = createPump(
    async (wanted) => {
      const { source, on } = slice();
      if (!on || source === null) return;
      ctx.patch("ownpass", { running: true });
      const loaded = await loadPass(source, await sandboxed());
      const now = slice();
      if (!wanted() || !now.on || now.source !== source || loaded === null) {
        ctx.patch("ownpass", { running: false });
        return;
      }
      if (!loaded.ok) {
        ctx.patch("ownpass", { running: false, problems: loaded.problems });
        return;
      }
      const { described } = loaded;
      const problem = now.report?.problem ?? null;
      ctx.patch("ownpass", { running: false, described, ran: source });
      if (described.kind === "analysis") {
        if (arriving) showOverlay();
        // An answer that is there is not asked for again, unless it was none.
        const kept = selectAnalysis(ctx.get()) !== null && !(arriving && problem !== null);
        ctx.patch("ownpass", kept ? { problems: problem === null ? [] : [problem] } : { problems: [], analysis: null });
        analyse.request();
        // Without a place it analyses what is shown; at a place it is also a phase, and can be stepped through.
        if (now.place === null) {
          arriving = false;
          takeOut();
          return;
        }
      }
      const { name, summary } = described;
      const own: OwnPhase = { name, summary, source, at: now.place, lines: linesOf(source) };
      if (JSON.stringify(own) !== JSON.stringify(inPipeline())) {
        ctx.patch("ownpass", { problems: [] });
        setOptions({ own });
      } else if (arriving && problem !== null) {
        afresh = true;
        setOptions({ own });
      } else if (ctx.get().run.stale) {
        // Run was pressed while the pipeline ran: the press stopped the sandbox, and that run ended without a result.
        request();
      } else {
        ctx.patch("ownpass", { problems: problem === null ? [] : [problem] });
        arrive(ctx.get().run.result?.phases ?? []);
      }
    },
    (error) => {
      ctx.patch("ownpass", { running: false });
      ctx.report("The pass could not be run")(error);
    },
  );

  const again = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      started?.stop();
      pump.request();
    }, delay);
  };
  const halt = () => {
    arriving = false;
    clearTimeout(timer);
    pump.reset();
    started?.stop();
  };

  /** Another pass in place of the open one, which is set aside and can be had again. */
  const exchange = (source: string | null, next: (aside: readonly AsidePass[]) => WorkPass) => {
    const before = slice();
    const aside = asideAfter(before);
    halt();
    ctx.patch("ownpass", withPass(before, next(aside)));
    takeOut();
    if (aside !== before.aside && before.source !== source)
      ctx.notify("info", `The pass “${before.title}” ${source === null ? "was closed" : "was replaced"}.`, UNDO);
  };

  const actions: OwnPassActions = {
    open({ source, title, place = null, linked = false, template = false }) {
      const problem = tooLongForPass(source);
      if (problem !== null) {
        ctx.notify("error", `“${title}” cannot be opened: ${problem}.`);
        return;
      }
      if (source === slice().source) return;
      exchange(source, (aside) => ({ source, title, linked, written: !template, aside, place }));
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
      if (on) again(DEBOUNCE_MS);
    },
    setPlace(place) {
      const { place: before, on, described } = slice();
      ctx.patch("ownpass", { place });
      const own = inPipeline();
      // An analysis without a place is not a phase.
      if (on && described?.kind === "analysis" && (place === null) !== (before === null)) again(0);
      else if (own !== null) setOptions({ own: { ...own, at: place } });
    },
    run() {
      if (slice().source === null) return;
      arriving = true;
      ctx.patch("ownpass", { on: true, linked: false });
      again(0);
    },
    stop() {
      halt();
      ctx.patch("ownpass", { on: false, running: false, report: null, analysis: null });
      takeOut();
    },
    remove: () => exchange(null, (aside) => ({ ...NO_PASS, aside })),
    undo() {
      const last = slice().aside.at(-1);
      if (last === undefined) ctx.notify("info", "There is no closed pass to open again.");
      else
        exchange(last.source, (aside) => ({ ...last, linked: false, written: true, aside: aside.filter((a) => a.source !== last.source) }));
    },
    setEveryLine(everyLine) {
      ctx.patch("ownpass", { everyLine });
      relist();
    },
    setTypes: (types) => ctx.patch("ownpass", { types }),
    reveal: (line) => ctx.patch("ownpass", { reveal: line === null ? null : { line } }),
  };

  const tell = (said: OwnSaid): void => {
    const problem = said.problem === null ? null : { ...said.problem, column: 0 };
    ctx.patch("ownpass", { running: false, report: { ...said, problem }, problems: problem === null ? [] : [problem] });
  };

  const prepare = async (kernel: string, options: PipelineOptions, own: OwnPhase): Promise<boolean> => {
    const again = afresh;
    afresh = false;
    const ask = await ctx.api.ownAsk(kernel, options, again);
    if (ask === null) return true;
    if (!("id" in ask)) {
      tell(ask);
      return true;
    }
    const code = await codeOf(own.source);
    if (typeof code !== "string") return true;
    ctx.patch("ownpass", { running: true });
    const { program, skips, fuel } = ask;
    const source = own.source.split("\n");
    const only = own.lines === null ? {} : { only: own.lines ?? [] };
    const run = { program, source, skips, fuel, record: true, lines: MOST_LINES, ...only, twice: false } as const;
    const request = { ask: "run", code, ...run } as const;
    const answer = await (await sandboxed()).ask(request);
    if (typeof answer !== "string" && answer.ended === "stopped") {
      ctx.patch("ownpass", { running: false });
      return false;
    }
    const text = typeof answer === "string" ? answer : JSON.stringify({ failed: { message: answer.message, line: answer.line ?? 0 } });
    tell(await ctx.api.lendOwn(ask.id, text));
    return true;
  };

  const dispose = ctx.store.subscribe((state, before) => {
    // The program that is shown may be a different one: an active analysis runs on it.
    if (state.position !== before.position || state.run !== before.run) look();
    // The lines with breakpoints may be others: each has to be a step.
    if (state.breakpoints.list !== before.breakpoints.list) relist();
  });

  return {
    actions: { ownpass: actions },
    prepare: (kernel, options) => (options.own == null ? null : prepare(kernel, options, options.own)),
    arrived: ({ phases }) => arrive(phases),
    replaced({ brought: { pass } }) {
      // Another pass came, or none: what the one before was at ends.
      if (pass !== undefined) halt();
    },
    dispose,
  };
}
