/** The futures in a row above the strip of phases: which is open, where each leaves the one it came from, and what of it does not apply. */

import { type KeyboardEvent, useEffect, useRef } from "react";
import { phaseNumber } from "../../../app/names/phase-status.ts";
import { plainName } from "../../../app/names/phases.ts";
import { useActions, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { selectPhases } from "../../../app/session/selectors.ts";
import type { Session } from "../../../app/session/session.ts";
import { Button, IconButton } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row } from "../../../app/ui/layout.tsx";
import { MenuButton, type MenuEntry } from "../../../app/ui/menu-button.tsx";
import { plural } from "../../../app/ui/plural.ts";
import { compareFuture } from "./compare-future.ts";
import styles from "./futures-bar.module.css";
import { forkRun, futureOf, ROOT, titleOf } from "./tree.ts";
import { type NamedFuture, namedFutures, troublesOf, useTree } from "./use-futures.ts";

export function FuturesBar() {
  const tree = useTree();
  return (
    <>
      {tree.list.length === 0 ? null : <Bar />}
      <Said />
    </>
  );
}

function Bar() {
  const session = useSessionObject();
  const tree = useTree();
  const { futures } = useActions();
  const row = useRef<HTMLDivElement>(null);

  useEffect(() => {
    row.current?.querySelector(`[data-future="${tree.open}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tree.open]);

  const keyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Delete" && tree.open !== ROOT) futures.remove(tree.open);
    else if (event.key === "F2" && tree.open !== ROOT) session.command("future.rename")?.run(session);
    else if (event.key === "ArrowRight") futures.openNext(1);
    else if (event.key === "ArrowLeft") futures.openNext(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    const { open } = session.store.getState().futures;
    row.current?.querySelector<HTMLElement>(`[data-future="${open}"]`)?.focus();
  };

  return (
    <Row gap={2} pad={["hair", 2]} rigid className={cx(styles.bar, "line-below")} data-testid="futures">
      <span className="muted" id="futures-bar-title">
        Futures
      </span>
      <div
        ref={row}
        role="listbox"
        aria-orientation="horizontal"
        aria-labelledby="futures-bar-title"
        className={styles.chips}
        onKeyDown={keyDown}
      >
        {namedFutures(tree).map((named) => (
          <Chip key={named.id} {...named} />
        ))}
      </div>
      <Troubles />
      <Button variant="link" onClick={() => compareFuture(session)}>
        Compare
      </Button>
      <MenuButton trigger={<IconButton icon="more" label="Actions on futures" side="top" />} entries={() => entriesOf(session)} />
    </Row>
  );
}

function Chip({ id, title }: NamedFuture) {
  const tree = useTree();
  const phases = useSession(selectPhases);
  const { futures } = useActions();
  const open = id === tree.open;
  const future = futureOf(tree, id);
  const parent = titleOf(tree, future?.parent ?? ROOT);
  const at = future === null ? null : forkRun(tree, future, phases);
  const phase = at === null ? undefined : phases[at];
  const drops = future?.interventions.some((i) => i.kind === "drop");
  const said = [
    title,
    phase === undefined ? null : `from ${plainName(phase)}`,
    future === null ? null : `from ${parent}`,
    future?.pinned === true ? "pinned" : null,
  ];
  return (
    <div
      role="option"
      aria-selected={open}
      aria-label={said.filter((part) => part !== null).join(", ")}
      tabIndex={open ? 0 : -1}
      data-future={id}
      className={cx(styles.chip, "boxed rigid hovers", open ? "soft-accent accented" : "quiet", drops && styles.dropping)}
      title={phase === undefined ? title : `${title}: forks from “${parent}” at ${plainName(phase)}`}
      onClick={() => futures.open(id)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") futures.open(id);
      }}
    >
      {future === null ? null : (
        <svg className="rigid" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <path d="M2 1v10M2 5c0 3 7 1 7 6" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      )}
      {phase === undefined ? null : <span className="num strong">{phaseNumber(phase)}</span>}
      <span className="ellipsis">{title}</span>
      {future?.pinned === true ? <span aria-hidden="true">•</span> : null}
    </div>
  );
}

const MENU = [
  "future.rename",
  "future.pin",
  "future.remove",
  "future.clear",
  "future.undo",
  "future.show-tree",
  "future.show-compare",
  "future.show-fuel",
] as const;

function entriesOf(session: Session): readonly MenuEntry[] {
  const state = session.store.getState();
  return MENU.flatMap((id): readonly MenuEntry[] => {
    const command = session.command(id);
    if (command === null) return [];
    return [
      {
        kind: "item",
        id,
        title: command.title,
        keys: command.keys[0],
        disabled: !command.enabled(state),
        checked: command.checked?.(state),
        run: () => command.run(session),
      },
    ];
  });
}

/** As much of it as there is room for; a press shows all. */
function Troubles() {
  const session = useSessionObject();
  const said = useSession((s) => troublesOf(s).join("\n"));
  if (said === "") return null;
  const [first, ...others] = said.split("\n");
  return (
    <button type="button" className={cx(styles.troubles, "soft-warn")} title={said} onClick={() => session.actions.view.open("tree")}>
      <span className="ellipsis">{first}</span>
      {others.length === 0 ? null : <span>and {others.length} more</span>}
    </button>
  );
}

/** For screen readers: what became of the last switch. There before the first future, so that it is heard. */
function Said() {
  const tree = useTree();
  const settled = useSession((s) => !s.run.running && !s.run.stale);
  const said = useSession((s) => troublesOf(s).join(". "));
  const changed = useSession((s) => s.run.result?.phases.filter((p) => p.changed).length ?? 0);
  const title = titleOf(tree, tree.open);
  return (
    <span className="visually-hidden" role="status" data-testid="future-said">
      {settled && tree.list.length > 0 ? `Future: ${title}. ${plural(changed, "phase changes", "phases change")} the program. ${said}` : ""}
    </span>
  );
}
