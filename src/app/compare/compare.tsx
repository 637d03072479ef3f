/** The one comparison of the page, in the middle: two choosers, a way to each difference, and pictures, texts or figures of both sides. */

import { useEffect, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { RunComparison } from "../../engine/api/types.ts";
import { TextDiff } from "../editor/text-diff.tsx";
import { differencesOf } from "../graph/model/states.ts";
import { type CompareShows, closeCompare, type NamedRun, namedRuns, type RunChoice, type SideChoice } from "../session/comparison.ts";
import { useEngineQuery, useSession, useSessionObject } from "../session/hooks.ts";
import { selectKernel, selectStale } from "../session/selectors.ts";
import { useProvenance } from "../session/use-result.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Panel, Row, Stack } from "../ui/layout.tsx";
import { Select } from "../ui/select.tsx";
import { useArrival } from "../ui/use-arrival.ts";
import { ViewButtons } from "../ui/view-buttons.tsx";
import { placeOf, placeOptions, runOf, runOptions, sidesNow, valueOfPlace, valueOfRun } from "./choices.ts";
import styles from "./compare.module.css";
import { Compared } from "./compared.tsx";
import { goToDifference } from "./difference-step.ts";
import { SecondText } from "./second-text.tsx";
import { sideEngine } from "./side-engine.ts";
import { type Choices, type Pair, pairOf } from "./sides.ts";

const VIEWS: readonly (readonly [shows: CompareShows, name: string, title: string])[] = [
  ["sides", "Side by side", "Two pictures"],
  ["one", "As one", "One picture of both, with what differs marked"],
  ["text", "Text", "Two texts"],
  ["numbers", "Numbers", "Phase by phase, sizes and what is executed"],
];

/** Quiet time after a key in the second text before both run again. */
const PAUSE_MS = 300;

export function Compare() {
  const session = useSessionObject();
  const runs = useRuns();
  const { left, right, shows, text: typed } = useSides(runs);
  const text = useQuiet(typed);
  const stale = useSession(selectStale);
  const wrong = useSession(({ document: { open } }) => open !== null && !open.ok);
  const { data: pair, error } = usePair({ left, right, runs, text }, stale);
  const hasRun = (kind: RunChoice["kind"]): boolean => [left, right].some(({ run }) => run.kind === kind);
  usePicture(pair, shows, JSON.stringify([left, right, shows]));
  const region = useArrival("compare");
  const close = () => {
    closeCompare(session);
    session.command("focus.graph")?.run(session);
  };
  return (
    <Stack
      as="section"
      ref={region}
      tabIndex={-1}
      rigid
      className={cx(styles.compare, "line-below", (shows === "text" || shows === "numbers") && styles.whole)}
      aria-label="Compare"
    >
      <Row wrap gap={1} pad={[1, 2]} rigid>
        <Chooser label="Left" side={left} onChange={(next) => session.patch("comparison", { left: next, right })} />
        <IconButton icon="swap" label="Swap the sides" onClick={() => session.patch("comparison", { left: right, right: left })} />
        <Chooser label="Right" side={right} onChange={(next) => session.patch("comparison", { left, right: next })} />
        <span className="grow" />
        <IconButton icon="close" label="Close the comparison" onClick={close} />
      </Row>
      <Row wrap gap={1} pad={[1, 2]} rigid>
        <ViewButtons label="How to compare" views={VIEWS} shown={shows} onShow={(view) => session.patch("comparison", { shows: view })} />
        <Differences pair={pair} shows={shows} />
      </Row>
      {hasRun("text") ? <SecondText /> : null}
      <p className={styles.said} role="status" data-testid="compare-said">
        {wrong
          ? "The text has errors. Correct it to compare."
          : error !== null
            ? ""
            : pair === null
              ? "Running both…"
              : pair.left.text === pair.right.text
                ? "Both programs are the same."
                : `${pair.left.title} | ${pair.right.title}`}
      </p>
      {error === null || wrong ? null : <p role="alert">{error}</p>}
      {shows === "text" && pair !== null ? (
        <Row align="stretch" grow className={styles.numbers}>
          <TextDiff left={pair.left.text} right={pair.right.text} />
        </Row>
      ) : null}
      {shows === "numbers" ? <Numbers pair={pair} isOneProgram={!hasRun("text") && !hasRun("kernel")} /> : null}
    </Stack>
  );
}

/** The text as it was when nothing had been typed for a while. */
function useQuiet(typed: string): string {
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return text;
}

function useRuns(): readonly NamedRun[] {
  const session = useSessionObject();
  return useSession(useShallow((s) => namedRuns(session, s)));
}

function useSides(runs: readonly NamedRun[]) {
  const view = useSession((s) => s.comparison);
  return useMemo(() => sidesNow(view, runs), [view, runs]);
}

function usePair({ left, right, runs, text }: Choices, stale: boolean) {
  const session = useSessionObject();
  const [engines] = useState(() => [sideEngine(), sideEngine()] as const);
  useEffect(
    () => () => {
      for (const engine of engines) engine.end();
    },
    [engines],
  );
  const { revision, kernel, pipeline } = useProvenance();
  const moves = [left, right].some(({ at }) => at === "current");
  const follows = [left, right].some(({ at }) => typeof at === "string" && at !== "last");
  const run = useSession((s) => (follows ? s.position.run : -1));
  const step = useSession((s) => (moves ? s.position.step : -1));
  const veiled = useSession((s) => s.engine.veil !== null);
  const key = useMemo(
    () => JSON.stringify(["compare", left, right, text, revision, kernel, pipeline.policy, pipeline.level, run, step]),
    [left, right, text, revision, kernel, pipeline, run, step],
  );
  const query = useEngineQuery(
    stale || veiled ? null : key,
    (api) => pairOf({ left, right, runs, text }, session.store.getState(), api, engines),
    "run",
  );
  // While stepping, the picture of the step before stays until the next is there; after other choices it does not.
  return { data: query.fresh || (moves && query.data !== null) ? query.data : null, error: query.fresh ? query.error : null };
}

/** The graph below shows both. */
function usePicture(pair: Pair | null, shows: CompareShows, choice: string): void {
  const session = useSessionObject();
  useEffect(() => {
    session.patch("graph", {
      mode: "pair",
      pair:
        pair === null
          ? null
          : {
              base: pair.left.moment,
              head: pair.right.moment,
              beside: shows === "sides",
              titles: [pair.left.title, pair.right.title],
              choice,
            },
    });
  }, [session, pair, shows, choice]);
  useEffect(
    () => () => {
      if (session.store.getState().graph.mode === "pair") session.patch("graph", { mode: "all", pair: null });
    },
    [session],
  );
}

interface ChooserProps {
  readonly label: "Left" | "Right";
  readonly side: SideChoice;
  readonly onChange: (side: SideChoice) => void;
}

function Chooser({ label, side, onChange }: ChooserProps) {
  const session = useSessionObject();
  const options = useSession((s) => s.options);
  const good = useSession((s) => s.document.good);
  const run = useSession((s) => s.run.result);
  const named = useRuns();
  const { runs, places } = useMemo(() => {
    const state = session.store.getState();
    return options === null || good === null || run === null
      ? { runs: [], places: [] }
      : { runs: runOptions(state, named), places: placeOptions(state, side) };
  }, [session, options, good, run, side, named]);
  return (
    <Row as="span" align="stretch" gap={1} className={styles.chooser}>
      <Select
        label={label}
        hideLabel
        value={valueOfRun(side.run, session.store.getState(), named)}
        options={runs}
        onChange={(value) => {
          const next = runOf(value);
          if (next.kind === "text" && session.store.getState().comparison.text === "")
            session.patch("comparison", { text: session.store.getState().document.text });
          const own = next.kind === "shown" || side.at !== "current";
          onChange({ run: next, at: own ? side.at : "end" });
        }}
      />
      <Select
        label={`${label}, where`}
        hideLabel
        value={valueOfPlace(side.at)}
        options={places}
        onChange={(value) => onChange({ ...side, at: placeOf(value) })}
      />
    </Row>
  );
}

/** To each difference, in the order of the program. */
function Differences({ pair, shows }: { readonly pair: Pair | null; readonly shows: CompareShows }) {
  const session = useSessionObject();
  const blocks = useMemo(() => (pair === null ? [] : differencesOf(pair.left.moment, pair.right.moment)), [pair]);
  const at = useSession(({ comparison }) => (comparison.differences === blocks ? comparison.difference : 0));
  const picture = shows === "sides" || shows === "one";
  useEffect(() => session.patch("comparison", { differences: blocks, difference: 0 }), [session, blocks]);
  if (shows === "numbers" || pair === null) return null;
  const label = blocks[at]?.label;
  return (
    <Row as="span" gap={1} className={cx(styles.differences, "quiet nowrap")}>
      <IconButton
        icon="previous"
        label="Previous difference"
        keys="Shift+F7"
        disabled={picture && blocks.length === 0}
        onClick={() => goToDifference(session, -1)}
      />
      <IconButton
        icon="next"
        label="Next difference"
        keys="F7"
        disabled={picture && blocks.length === 0}
        onClick={() => goToDifference(session, 1)}
      />
      {picture ? (
        <span data-testid="difference">
          {label === undefined ? "no block differs" : `${at + 1} of ${blocks.length}, ${label} ${blocks[at]?.diff}`}
        </span>
      ) : null}
    </Row>
  );
}

function Numbers({ pair, isOneProgram }: { readonly pair: Pair | null; readonly isOneProgram: boolean }) {
  const kernel = useSession(selectKernel)?.name ?? null;
  const wanted =
    kernel === null || !isOneProgram || pair === null
      ? null
      : ([kernel, pair.left.pipeline, pair.right.pipeline, undefined, undefined, [pair.left.at, pair.right.at]] as const);
  const { data, fresh, error } = useEngineQuery<string | RunComparison | null>(
    wanted === null ? null : JSON.stringify(["numbers", wanted]),
    async (api) => (wanted === null ? null : api.compareFutures(...wanted)),
    "run",
  );
  if (!isOneProgram)
    return <p className={styles.said}>Figures are shown only for two runs of the same kernel. Compare the pictures or the texts.</p>;
  if (error !== null) return <p role="alert">The runs could not be compared: {error}</p>;
  if (pair === null || data === null || !fresh) return <p className={styles.said}>Running both…</p>;
  if (typeof data === "string") return <p role="alert">There is nothing to compare: {data}</p>;
  return (
    <Panel pad={[2, 3]} className={styles.numbers}>
      <Compared comparison={data} left={pair.left} right={pair.right} />
    </Panel>
  );
}
