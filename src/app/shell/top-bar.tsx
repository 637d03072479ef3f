/** The bar at the top: menus, what is open and how it is run, and how the engine is doing. */

import { useMemo } from "react";
import type { KernelInfo } from "../../engine/api/types.ts";
import { CommandMenuButton } from "../commands/menus.tsx";
import { useBlank } from "../editor/use-blank.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { useLasting } from "../session/of-program.tsx";
import { selectEarlierRun, selectNotRun } from "../session/provenance.ts";
import { type Selector, selectKernel, selectKernels, selectStale } from "../session/selectors.ts";
import { useShortNames } from "../session/use-short-names.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icons.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Row } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import { Select } from "../ui/select.tsx";
import type { WidthClass } from "../ui/use-width.ts";
import { Activity } from "./activity.tsx";
import { RunOptions } from "./run-options.tsx";
import styles from "./top-bar.module.css";

export function TopBar({ width }: { readonly width: WidthClass }) {
  const session = useSessionObject();
  const run = (id: string) => session.command(id)?.run(session);
  return (
    <Row as="header" gap={1} className={cx(styles.bar, "line-below")}>
      <h1 className={styles.brand}>
        <Mark />
        Oriscope
      </h1>
      <CommandMenuButton />
      {session.command("file.examples") === null ? null : (
        <Button variant="quiet" onClick={() => run("file.examples")}>
          <Icon name="book" size={14} />
          Examples
        </Button>
      )}
      <Options />
      <span className="grow" />
      <Activity />
      <RunState />
      <Button aria-label="Command palette" onClick={() => run("view.palette")}>
        <Icon name="search" size={14} />
        {width === "wide" ? (
          <>
            Search or run a command <Kbd keys="Mod+K" />
          </>
        ) : null}
      </Button>
      <IconButton icon="link" label="Copy link to this step" keys="Mod+Shift+L" onClick={() => run("file.copy-link")} />
    </Row>
  );
}

function Mark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="6" y="1.5" width="6" height="4" rx="1" />
      <path d="M7.5 5.5 4.5 8.5M10.5 5.5l3 3" />
      <circle cx="4" cy="10.5" r="2" fill="currentColor" stroke="none" />
      <circle cx="14" cy="10.5" r="2" />
      <path d="M4.5 12.5 9 16l4.5-3.5" />
    </svg>
  );
}

function sizeOf({ state, blocks }: KernelInfo): string {
  return state === "unread" ? "not read yet" : state === "wrong" ? "has errors" : plural(blocks, "block");
}

/** The kernels are those of the program that was open before: this one has not been read, or has none that can be run. */
const selectUnread: Selector<boolean> = ({ document: { good, since } }) => good !== null && good.revision < since;

function Options() {
  const phases = useSession((s) => s.options.pipeline.phases);
  const kernels = useSession(selectKernels);
  const kernel = useSession(selectKernel);
  const short = useShortNames(useMemo(() => kernels.map((k) => k.name), [kernels]));
  const actions = useActions();
  const blank = useBlank();
  const unread = useLasting(selectUnread);
  return (
    <Row gap="hair" className={styles.options}>
      {blank || unread ? null : kernels.length > 1 || (kernel !== null && kernel.blocks > 0) ? (
        <Select
          label="Kernel"
          disabled={kernels.length < 2}
          quiet
          hideLabel
          title={kernel === null ? "Current kernel" : `Current kernel: ${kernel.name}`}
          value={kernel?.name ?? ""}
          options={kernels.map((k) => ({
            value: k.name,
            title: `${short.get(k.name) ?? k.name} · ${sizeOf(k)}`,
            whole: k.name,
            disabled: k.state === "wrong",
          }))}
          onChange={actions.run.setKernel}
        />
      ) : null}
      <RunOptions />
      {phases === null ? null : (
        <Button
          className={styles.whole}
          onClick={() => actions.run.setOptions({ phases: null })}
          title={`Only ${phases.length === 1 ? "one phase runs" : `${phases.length} phases run`}: ${phases.join(", ")}. Click to run the whole pipeline.`}
        >
          Run all phases
        </Button>
      )}
    </Row>
  );
}

function RunState() {
  const status = useSession((s) => s.engine.status);
  const running = useSession((s) => s.run.running);
  const stale = useSession(selectStale);
  const earlier = useSession(selectEarlierRun);
  const notRun = useSession(selectNotRun);
  const blank = useBlank();
  // Under the veil of a question the number would be one of the phases before it only.
  const changed = useSession((s) => {
    const phases = s.run.result?.phases ?? null;
    return phases === null || phases.some((p) => p.hidden) ? null : phases.filter((p) => p.changed).length;
  });
  if (status === "starting") return <span className={cx(styles.state, "small muted nowrap")}>starting…</span>;
  if (status === "failed") return <Badge tone="error">engine failed</Badge>;
  if (running) return <span className={cx(styles.state, "small muted nowrap")}>running…</span>;
  if (blank || notRun === "empty") return <span className={cx(styles.state, "small muted nowrap")}>no program</span>;
  if (notRun === "wrong") return <Badge tone="warn">not run: the program has errors</Badge>;
  if (earlier) return null;
  if (stale) return <Badge tone="warn">showing the last valid text</Badge>;
  return (
    <span className={cx(styles.state, "small muted nowrap")} data-testid="run-state">
      {changed === null ? "ready" : `${plural(changed, "phase")} changed the program`}
    </span>
  );
}
