/** What could be otherwise: the list of experiments, and each of them in its place. */

import { type ComponentType, lazy, Suspense } from "react";
import { compareFuture } from "../../futures/compare-future.ts";
import { useActions, useSession, useSessionObject } from "../../session/hooks.ts";
import { LargeButton } from "../../session/large-button.tsx";
import { OfProgram } from "../../session/of-program.tsx";
import type { Experiment } from "../../session/places.ts";
import { selectRecorded } from "../../session/selectors.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { late } from "../late.tsx";
import styles from "./experiments.module.css";

interface Entry {
  readonly title: string;
  readonly about: string;
  readonly content: ComponentType;
  /** The content has bars and scrolls by itself. */
  readonly whole?: true;
}

/** What the drawer shows; the comparison has the middle. */
type Drawn = Exclude<Experiment, "compare">;

const ENTRIES: Readonly<Record<Drawn, Entry>> = {
  conditions: {
    title: "Drop a condition",
    about: "and see what goes wrong without it",
    content: lazy(async () => ({ default: (await import("../../futures/pane/conditions.tsx")).Conditions })),
  },
  fuel: {
    title: "Stop after a rewrite",
    about: "and check the program at each stop",
    content: lazy(async () => ({ default: (await import("../../futures/pane/fuel.tsx")).Fuel })),
  },
  knobs: {
    title: "Set a knob",
    about: "thresholds and switches of the phases",
    content: late(async () => (await import("../knobs/knobs.tsx")).Knobs),
    whole: true,
  },
  order: {
    title: "Phase order",
    about: "move, repeat, insert or switch off a phase",
    content: lazy(async () => ({ default: (await import("../../futures/pane/order.tsx")).Order })),
  },
  run: {
    title: "Run on inputs",
    about: "execute before and after, and compare memory and counts",
    content: late(async () => (await import("../run/run.tsx")).Run),
    whole: true,
  },
  align: {
    title: "Real SASS",
    about: "compare with a listing of the real compiler",
    content: late(async () => (await import("../align/align.tsx")).Align),
    whole: true,
  },
  tree: {
    title: "All runs",
    about: "every experiment so far, named",
    content: lazy(async () => ({ default: (await import("../../futures/pane/tree.tsx")).Tree })),
  },
};

interface Group {
  readonly title: string;
  /** An experiment, or a command and what it is about. */
  readonly entries: readonly (Drawn | readonly [command: string, title: string, about: string])[];
}

const GROUPS: readonly Group[] = [
  {
    title: "At this rewrite",
    entries: [
      ["future.skip", "Skip it", "and run on without it"],
      ["future.stop-before", "Stop before it", "keep only the rewrites so far"],
      ["future.edit", "Edit the program here", "and continue from this step"],
    ],
  },
  {
    title: "In this phase",
    entries: ["conditions", "fuel", "knobs", "order", ["pass.write", "Write a pass", "and put it anywhere in the pipeline"]],
  },
  { title: "Check", entries: ["run", "align"] },
  { title: "Results", entries: [["future.show-compare", "Compare two runs", "phase by phase, and in the picture"], "tree"] },
];

const FORKED: readonly Drawn[] = ["conditions", "fuel", "order", "tree"];

export function Experiments({ open }: { readonly open: Drawn | "list" }) {
  const { view } = useActions();
  const recorded = useSession(selectRecorded);
  const entry = open === "list" ? null : ENTRIES[open];
  const show = (experiment: Experiment | "list" | null) => view.set({ open: { ...opened(), experiment } });
  const session = useSessionObject();
  const opened = () => session.store.getState().view.open;
  return (
    <Stack as="section" grow aria-label="Experiment">
      <Row gap={1} pad={[0, 1]} rigid className={styles.bar}>
        {entry === null ? null : <IconButton icon="previous" label="All experiments" onClick={() => show("list")} />}
        <h2 className={styles.title}>{entry?.title ?? "What if …?"}</h2>
        <LargeButton pane="inspectors" />
        <IconButton icon="close" label="Close the experiments" onClick={() => show(null)} />
      </Row>
      {open === "list" || entry === null ? (
        <List onOpen={show} />
      ) : recorded && FORKED.includes(open) ? (
        <EmptyState title="A recorded trace has only one run.">Open its program to try others.</EmptyState>
      ) : (
        <div className={cx(entry.whole === true ? styles.whole : styles.body)}>
          <Suspense fallback={null}>
            <OfProgram>
              <entry.content />
            </OfProgram>
          </Suspense>
        </div>
      )}
    </Stack>
  );
}

function List({ onOpen }: { readonly onOpen: (experiment: Experiment) => void }) {
  return (
    <Stack gap={3} pad={[3, 2]} grow scroll>
      {GROUPS.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h3 className={styles.group}>{title}</h3>
          {entries.map((entry) =>
            typeof entry === "string" ? (
              <Item key={entry} title={ENTRIES[entry].title} about={ENTRIES[entry].about} onPress={() => onOpen(entry)} />
            ) : (
              <CommandItem key={entry[0]} id={entry[0]} title={entry[1]} about={entry[2]} />
            ),
          )}
        </section>
      ))}
    </Stack>
  );
}

function CommandItem({ id, title, about }: { readonly id: string; readonly title: string; readonly about: string }) {
  const session = useSessionObject();
  const command = session.command(id);
  const why = useSession((s) => (command === null || command.enabled(s) ? null : (command.otherwise?.(s) ?? "")));
  if (command === null) return null;
  const press = (): void => {
    const { open } = session.store.getState().futures;
    command.run(session);
    // What came of it is beside what would have been, in the middle.
    if (session.store.getState().futures.open !== open) compareFuture(session);
  };
  return <Item title={title} about={why === null || why === "" ? about : why} off={why !== null} onPress={press} />;
}

interface ItemProps {
  readonly title: string;
  readonly about: string;
  readonly off?: boolean;
  readonly onPress: () => void;
}

function Item({ title, about, off = false, onPress }: ItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      aria-disabled={off || undefined}
      onClick={() => {
        if (!off) onPress();
      }}
    >
      {title}
      <span className={styles.about}>{about}</span>
    </button>
  );
}
