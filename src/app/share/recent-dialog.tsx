/** File, Recent: the works that the browser keeps, to go on with and to pin. */

import { useEffect, useState } from "react";
import { useActions, useSession } from "../session/hooks.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { MAX_RECENT, recentOf, type Summary } from "./kept/records.ts";
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
  const current = useSession((s) => s.document.work);
  const [works, setWorks] = useState<readonly Summary[] | null>(null);
  useEffect(() => {
    let gone = false;
    work.list().then(
      (list) => {
        if (!gone) setWorks(recentOf(list));
      },
      (error: unknown) => notify("error", `The list could not be read: ${String(error)}`),
    );
    return () => {
      gone = true;
    };
  }, [work, notify]);

  const open = async ({ id, title }: Summary) => {
    view.set({ dialog: null });
    if (id === current) return;
    const kept = await work.kept.read(id);
    if (kept === null) notify("error", `“${title}” is not kept any more, or the browser's database does not answer.`);
    else await work.open(kept);
  };
  const pin = (summary: Summary) => {
    const pinned = !summary.pinned;
    setWorks((list) => (list ?? []).map((s) => (s.id === summary.id ? { ...s, pinned } : s)));
    void work.kept.pin(summary.id, pinned);
  };

  if (works === null) return <EmptyState title="Reading…" />;
  if (works.length === 0)
    return <EmptyState title="Nothing yet.">What you type, paste or open from a file is kept in this browser and listed here.</EmptyState>;
  return (
    <>
      <p className={styles.note}>
        The last {MAX_RECENT} programs that you typed or opened from files, kept in this browser only. Pinned ones stay.
      </p>
      <ul className={styles.list}>
        {works.map((summary) => (
          <li key={summary.id} className={styles.row} data-work={summary.id}>
            <button type="button" className={cx(styles.open, summary.id === current && styles.current)} onClick={() => void open(summary)}>
              <span className={styles.head}>
                <span className={styles.title}>{summary.title}</span>
                {summary.id === current ? <Badge>open</Badge> : null}
                <time className={styles.date} dateTime={new Date(summary.changed).toISOString()}>
                  {DATE.format(summary.changed)}
                </time>
              </span>
              <code className={styles.lines}>{summary.lines.join("\n")}</code>
            </button>
            <Button variant="quiet" pressed={summary.pinned} aria-label={`Pin ${summary.title}`} onClick={() => pin(summary)}>
              {summary.pinned ? "Pinned" : "Pin"}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
