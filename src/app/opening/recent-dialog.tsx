/** File, Recent: the works that the browser has saved, to open and to pin. */

import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useActions, useSession } from "../session/hooks.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { messageOf } from "../ui/failure.ts";
import { Row, Stack } from "../ui/layout.tsx";
import { MAX_RECENT, recentOf, type Summary } from "../work/record.ts";
import styles from "./recent-dialog.module.css";
import { useWork } from "./work-context.ts";

export function RecentDialog() {
  const open = useSession((s) => s.view.dialog === "recent");
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Recent work" wide>
      <RecentList />
    </Dialog>
  );
}

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

function RecentList() {
  const { view, notify } = useActions();
  const work = useWork();
  const list = useRef<HTMLDivElement>(null);
  const current = useSession((s) => s.document.work);
  /** The work to remove, once that is confirmed. */
  const [leaving, setLeaving] = useState<string | null>(null);
  const [works, setWorks] = useState<readonly Summary[] | null>(null);
  useEffect(() => {
    work.list().then(
      (list) => setWorks(recentOf(list)),
      (error: unknown) => notify("error", `The list could not be read: ${String(error)}`),
    );
  }, [work, notify]);

  const open = (summary: Summary): void => {
    view.set({ dialog: null });
    if (summary.id !== current) void work.open(summary);
  };
  const show = (id: string, pinned: boolean) => setWorks((list) => (list ?? []).map((s) => (s.id === id ? { ...s, pinned } : s)));
  const pin = ({ id, title, pinned }: Summary) => {
    show(id, !pinned);
    work.kept.pin(id, !pinned).catch((error: unknown) => {
      show(id, pinned);
      notify("error", `“${title}” could not be ${pinned ? "unpinned" : "pinned"}: ${messageOf(error)}`);
    });
  };
  /** The focused row was removed: the focus moves to the row in its place, or to the last one. */
  const focusRow = (at: number): void => {
    const rows = list.current?.querySelectorAll<HTMLElement>("[data-work]") ?? [];
    rows[Math.min(at, rows.length - 1)]?.querySelector("button")?.focus();
  };
  const keep = (at: number): void => {
    flushSync(() => setLeaving(null));
    focusRow(at);
  };
  const remove = async ({ id, title }: Summary, at: number) => {
    flushSync(() => {
      setLeaving(null);
      setWorks((list) => (list ?? []).filter((s) => s.id !== id));
    });
    focusRow(at);
    await work.kept.remove(id).catch((error: unknown) => notify("error", `“${title}” could not be removed: ${messageOf(error)}`));
  };

  if (works === null) return <EmptyState title="Reading…" />;
  if (works.length === 0)
    return <EmptyState title="Nothing yet.">What you type, paste or open from a file is saved in this browser and listed here.</EmptyState>;
  return (
    <>
      <p className="muted">
        The last {MAX_RECENT} programs and labs that you typed or opened from files, saved in this browser only. Pinned ones stay; Delete
        removes one.
      </p>
      <Stack as="ul" ref={list} gap={2}>
        {works.map((summary, at) => {
          const { id, title, pinned } = summary;
          return (
            <Row as="li" align="start" gap={2} key={id} data-work={id}>
              <OpenButton summary={summary} current={id === current} open={() => open(summary)} leave={() => setLeaving(id)} />
              <Button variant="quiet" pressed={pinned} aria-label={`Pin ${title}`} onClick={() => pin(summary)}>
                {pinned ? "Pinned" : "Pin"}
              </Button>
              {id === current ? null : leaving === id ? (
                <Leaving title={title} remove={() => void remove(summary, at)} keep={() => keep(at)} />
              ) : (
                <Button variant="quiet" aria-label={`Remove ${title}`} onClick={() => setLeaving(id)}>
                  Remove
                </Button>
              )}
            </Row>
          );
        })}
      </Stack>
    </>
  );
}

interface OpenButtonProps {
  readonly summary: Summary;
  readonly current: boolean;
  readonly open: () => void;
  readonly leave: () => void;
}

/** The work by name, date and first lines. Delete begins to remove it. */
function OpenButton({ summary: { title, kind, absent, changed, lines }, current, open, leave }: OpenButtonProps) {
  return (
    <button
      type="button"
      className={cx(styles.open, "boxed grow", current && "accented")}
      disabled={absent === true}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === "Delete" && !current) leave();
      }}
    >
      <Row as="span" align="baseline" gap={2}>
        <span className="ellipsis strong">{title}</span>
        {kind === "lab" ? <Badge>lab</Badge> : null}
        {current ? <Badge>open</Badge> : null}
        {absent === true ? (
          <Badge tone="warn" title="Its text is only in the browser's database, which does not respond">
            not available
          </Badge>
        ) : null}
        <time className={cx(styles.date, "muted nowrap")} dateTime={new Date(changed).toISOString()}>
          {DATE.format(changed)}
        </time>
      </Row>
      <code className={cx(styles.lines, "quiet")}>{lines.join("\n")}</code>
    </button>
  );
}

/** The second step of removing: nothing is lost by one key. */
function Leaving({ title, remove, keep }: { readonly title: string; readonly remove: () => void; readonly keep: () => void }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <Button ref={first} aria-label={`Remove ${title} for good`} onClick={remove}>
        Remove for good
      </Button>
      <Button variant="quiet" onClick={keep}>
        Keep
      </Button>
    </>
  );
}
