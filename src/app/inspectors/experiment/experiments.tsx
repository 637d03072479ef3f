/** The list of experiments, and each of them when it is open. */

import { useMemo } from "react";
import { EXPERIMENT_GROUPS, type ExperimentCommand, isPane } from "../../session/experiment.ts";
import { experimentsOf, type Shown } from "../../session/feature.ts";
import { useActions, useSession, useSessionObject } from "../../session/hooks.ts";
import { LargeButton } from "../../session/large-button.tsx";
import { OfProgram } from "../../session/of-program.tsx";
import { selectRecorded } from "../../session/selectors.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { useArrival } from "../../ui/use-arrival.ts";
import { late } from "../late.tsx";
import styles from "./experiments.module.css";

/** `open`: the name of one with a pane; any other name is the list. */
export function Experiments({ open }: { readonly open: string }) {
  const session = useSessionObject();
  const { view } = useActions();
  const recorded = useSession(selectRecorded);
  const shown = experimentsOf(session.features)
    .filter(isPane)
    .find(({ name }) => name === open);
  const show = (experiment: string | null) => view.set({ open: { ...session.store.getState().view.open, experiment } });
  const close = () => {
    show(null);
    session.command("focus.inspectors")?.run(session);
  };
  const region = useArrival(open);
  return (
    <Stack as="section" grow aria-label="Experiment" ref={region} tabIndex={-1}>
      <Row gap={1} pad={[0, 1]} rigid className={cx(styles.bar, "line-below")}>
        {shown === undefined ? null : <IconButton icon="previous" label="All experiments" onClick={() => show("list")} />}
        <h2 className="grow">{shown?.title ?? "What if …?"}</h2>
        <LargeButton pane="inspectors" />
        <IconButton icon="close" label="Close the experiments" onClick={close} />
      </Row>
      {shown === undefined ? (
        <List onOpen={show} />
      ) : recorded && shown.forks === true ? (
        <EmptyState title="A recorded trace has only one run.">Open its program to try others.</EmptyState>
      ) : (
        <Stack grow {...(shown.whole === true ? {} : { gap: 2, pad: [2, 3], scroll: true, className: styles.body })}>
          <OfProgram explains>
            <Pane name={shown.name} />
          </OfProgram>
        </Stack>
      )}
    </Stack>
  );
}

function Pane({ name }: { readonly name: string }) {
  const { features } = useSessionObject();
  const Content = useMemo(
    () =>
      late(async () => {
        const panes: Shown = Object.assign({}, ...(await Promise.all(features.map((feature) => feature.experimentPanes?.()))));
        return panes[name] ?? Nothing;
      }),
    [features, name],
  );
  return <Content />;
}

const Nothing = (): null => null;

function List({ onOpen }: { readonly onOpen: (experiment: string) => void }) {
  const experiments = experimentsOf(useSessionObject().features);
  return (
    <Stack gap={3} pad={[3, 2]} grow scroll>
      {EXPERIMENT_GROUPS.map((group) => {
        const entries = experiments.filter((one) => one.group === group);
        if (entries.length === 0) return null;
        return (
          <section key={group} aria-label={group}>
            <h3 className={cx(styles.group, "small quiet")}>{group}</h3>
            {entries.map((one) =>
              isPane(one) ? (
                <Item key={one.name} title={one.title} about={one.about} onPress={() => onOpen(one.name)} />
              ) : (
                <CommandItem key={one.command} {...one} />
              ),
            )}
          </section>
        );
      })}
    </Stack>
  );
}

function CommandItem({ command: id, title, about, after }: ExperimentCommand) {
  const session = useSessionObject();
  const command = session.command(id);
  const why = useSession((s) => (command === null || command.enabled(s) ? null : (command.otherwise?.(s) ?? "")));
  if (command === null) return null;
  const press = (): void => {
    const before = session.store.getState();
    command.run(session);
    after?.(session, before);
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
      className={cx(styles.item, "hovers")}
      aria-disabled={off || undefined}
      onClick={() => {
        if (!off) onPress();
      }}
    >
      {title}
      <div className="small quiet">{about}</div>
    </button>
  );
}
