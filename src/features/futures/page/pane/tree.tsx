/** The tree of futures as a list: switch, rename, pin, remove, and what each does otherwise. */

import { useEffect, useRef, useState } from "react";
import { phaseNumber } from "../../../../app/names/phase-status.ts";
import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectPhases } from "../../../../app/session/selectors.ts";
import { Button, IconButton } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { TextField } from "../../../../app/ui/field.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { compareFuture } from "../compare-future.ts";
import shared from "../futures.module.css";
import { depthOf, type Future, forkRun, inTreeOrder, ROOT, ROOT_TITLE, titleOf } from "../tree.ts";
import { troublesOf, useTree } from "../use-futures.ts";
import styles from "./tree.module.css";

const INDENT = 14;
const ROW = 28;

export function Tree() {
  const tree = useTree();
  const { futures } = useActions();
  const troubles = useSession((s) => troublesOf(s).join("\n"));
  return (
    <>
      {tree.list.length === 0 ? (
        <p className="muted">
          There is only one future so far. At a rewrite, press X for a future without it, or Shift+X for one that stops before it. The Step
          and Phase menus have more ways.
        </p>
      ) : null}
      <Stack as="ul" aria-label="Tree of futures">
        <li className={cx(styles.branch, "line-below", tree.open === ROOT && "is-selected")}>
          <button
            type="button"
            className={cx(styles.name, "ellipsis")}
            aria-current={tree.open === ROOT}
            onClick={() => futures.open(ROOT)}
          >
            {ROOT_TITLE}
          </button>
        </li>
        {inTreeOrder(tree).map((future) => (
          <Branch key={future.id} future={future} />
        ))}
      </Stack>
      {troubles === "" ? null : (
        <ul className={shared.problems} aria-label="What does not apply">
          {troubles.split("\n").map((said) => (
            <li key={said}>{said}</li>
          ))}
        </ul>
      )}
      <Row wrap gap={2}>
        <Button onClick={() => futures.undo()} disabled={!futures.canUndo()}>
          Undo
        </Button>
        <Button onClick={() => futures.clear()} disabled={tree.list.length === 0}>
          Remove all that are not pinned
        </Button>
      </Row>
    </>
  );
}

function Branch({ future }: { readonly future: Future }) {
  const session = useSessionObject();
  const tree = useTree();
  const phases = useSession(selectPhases);
  const renaming = useSession(({ futuresView }) => futuresView.renaming === future.id);
  const { futures } = useActions();
  const title = titleOf(tree, future.id);
  const at = forkRun(tree, future, phases);
  const phase = at === null ? undefined : phases[at];
  const depth = depthOf(tree, future);
  // The field that had the focus is gone once the name is written or given up.
  const name = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(renaming);
  useEffect(() => {
    if (wasRenaming.current && !renaming) name.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming]);
  if (renaming) return <Rename future={future} title={title} />;
  return (
    <li className={cx(styles.branch, "line-below", tree.open === future.id && "is-selected")}>
      <svg className="rigid muted" width={depth * INDENT} height={ROW} aria-hidden="true">
        <path d={`M${depth * INDENT - 10} 0v${ROW / 2}h8`} fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      <button
        ref={name}
        type="button"
        className={cx(styles.name, "ellipsis")}
        aria-current={tree.open === future.id}
        aria-label={`${title}, from ${titleOf(tree, future.parent)}`}
        title={title}
        onClick={() => futures.open(future.id)}
      >
        {title}
      </button>
      {phase === undefined ? null : <span className="muted">at {phaseNumber(phase)}</span>}
      <Button
        variant="link"
        onClick={() => compareFuture(session, future)}
        aria-label={`Compare ${title} with ${titleOf(tree, future.parent)}`}
      >
        Compare
      </Button>
      <Button variant="link" onClick={() => session.patch("futuresView", { renaming: future.id })} aria-label={`Rename ${title}`}>
        Rename
      </Button>
      <Button variant="link" pressed={future.pinned} onClick={() => futures.pin(future.id, !future.pinned)} aria-label={`Pin ${title}`}>
        {future.pinned ? "Pinned" : "Pin"}
      </Button>
      <IconButton
        icon="trash"
        label={`Remove ${title}`}
        onClick={(event) => {
          // The row above stays: the focus goes there instead of nowhere.
          event.currentTarget.closest("li")?.previousElementSibling?.querySelector("button")?.focus();
          futures.remove(future.id);
        }}
      />
    </li>
  );
}

function Rename({ future, title }: { readonly future: Future; readonly title: string }) {
  const { patch } = useSessionObject();
  const [name, setName] = useState(title);
  const { futures } = useActions();
  const done = (keep: boolean) => {
    if (keep) futures.rename(future.id, name);
    patch("futuresView", { renaming: null });
  };
  useEffect(() => () => patch("futuresView", { renaming: null }), [patch]);
  return (
    <li className={cx(styles.branch, "line-below")}>
      <Row
        as="form"
        gap={1}
        grow
        onSubmit={(event) => {
          event.preventDefault();
          done(true);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          done(false);
        }}
      >
        <TextField grow label="Name of the future" hideLabel value={name} onChange={setName} autoFocus />
        <Button type="submit">Rename</Button>
        <Button onClick={() => done(false)}>Cancel</Button>
      </Row>
    </li>
  );
}
