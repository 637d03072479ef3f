/** The handbook's two columns: what there is, with a search, and the page that is open. */

import { useEffect, useEffectEvent, useMemo, useState } from "react";
import passApi from "../../../../docs/pass-api.md?raw";
import { useEngineQuery, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { EmptyState } from "../../../app/ui/empty-state.tsx";
import { TextField } from "../../../app/ui/field.tsx";
import { Icon } from "../../../app/ui/icons.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { VirtualList } from "../../../app/ui/virtual-list.tsx";
import { type Entry, KIND_TITLES } from "./entry.ts";
import styles from "./handbook.module.css";
import { type Handbook, handbookOf, searchHandbook } from "./handbook-entries.ts";
import { openShown } from "./open-shown.ts";
import { Page } from "./page.tsx";
import { SHOWN_BY } from "./shown-by.ts";

const ROW_PX = 40;

export function HandbookBody() {
  const session = useSessionObject();
  const id = useSession((s) => s.handbook.page);
  const pipeline = useSession((s) => s.options.pipeline);
  const { data, error } = useEngineQuery(`handbook|${JSON.stringify(pipeline)}`, (api) => api.handbook(pipeline), "always");
  const book = useMemo(() => (data === null ? null : handbookOf(data, SHOWN_BY, passApi)), [data]);
  const entry = book?.find(id) ?? null;
  const [back, setBack] = useState<readonly string[]>([]);
  const go = (page: string, trail: readonly string[]): void => {
    setBack(trail);
    session.patch("handbook", { page });
  };
  const show = (to: string): void => go(to, entry === null || entry.id === to ? back : [...back, entry.id]);
  const goBack = (): void => {
    const last = back.at(-1);
    if (last !== undefined) go(last, back.slice(0, -1));
  };
  const close = (): void => session.actions.view.set({ dialog: null });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!event.altKey || event.key !== "ArrowLeft") return;
    event.preventDefault();
    goBack();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);
  return (
    <div className={cx(styles.book, entry !== null && styles.reading)}>
      <Row gap={2} pad={[1, 2]} className={cx(styles.head, "line-below")}>
        <Button variant="quiet" aria-label="Previous page" title="Previous page (Alt+Left)" disabled={back.length === 0} onClick={goBack}>
          <Icon name="previous" />
        </Button>
        <h2 className="grow strong">Handbook</h2>
        {entry === null ? null : (
          <Button className={styles.toList} onClick={() => go("", back)}>
            All pages
          </Button>
        )}
        <Button variant="quiet" aria-label="Close" title="Close" onClick={close}>
          <Icon name="close" />
        </Button>
      </Row>
      <Stack as="nav" gap={1} pad={2} className={styles.list} aria-label="Pages of the handbook">
        <Contents book={book} error={error} page={id} onShow={show} />
      </Stack>
      <main className={styles.page} aria-label={entry?.title ?? "No page is open"} tabIndex={-1}>
        {entry !== null ? (
          <Page
            key={entry.id}
            entry={entry}
            has={(to) => book?.find(to) !== null}
            onShow={show}
            onExample={() => {
              close();
              void openShown(session, entry);
            }}
            onPhase={() => {
              if (entry.phase === null) return;
              close();
              session.actions.position.goToPhase(entry.phase, "change");
            }}
          />
        ) : book === null ? null : (
          <EmptyState title="A page for each phase, structure, field, condition, opcode and knob, and for every call of the pass API.">
            Search on the left, or press F1 on anything in the tool to open its page.
          </EmptyState>
        )}
      </main>
    </div>
  );
}

interface ContentsProps {
  readonly book: Handbook | null;
  readonly error: string | null;
  /** The page that was asked for. */
  readonly page: string;
  readonly onShow: (page: string) => void;
}

/** The search, and the pages that it finds. */
function Contents({ book, error, page, onShow }: ContentsProps) {
  const [query, setQuery] = useState("");
  // Enter, pressed before the pages are there.
  const [wanted, setWanted] = useState(false);
  const open = book?.find(page)?.id;
  // Something without a page was requested: the search shows what is near.
  const unknown = book !== null && open === undefined && page !== "";
  useEffect(() => {
    if (unknown) setQuery(page.slice(page.indexOf(":") + 1).replaceAll(":", " "));
  }, [unknown, page]);
  const found = useMemo(() => (book === null ? [] : searchHandbook(book.entries, query)), [book, query]);
  const showFound = (index: number): void => {
    const chosen = found[index];
    if (chosen !== undefined) onShow(chosen.id);
  };
  const showWanted = useEffectEvent((): void => showFound(0));
  useEffect(() => {
    if (book === null || !wanted) return;
    setWanted(false);
    showWanted();
  }, [book, wanted]);
  return (
    <>
      <TextField
        label="Search the handbook"
        hideLabel
        type="search"
        autoFocus
        value={query}
        onChange={(text) => {
          setQuery(text);
          setWanted(false);
        }}
        placeholder="Phase, structure, +152, condition, opcode, knob"
        onSubmit={() => setWanted(true)}
      />
      <p className="muted" role="status">
        {book === null
          ? (error ?? "Opening the handbook…")
          : `${unknown && query !== "" ? `‘${page}’ has no page. ` : ""}${found.length} of ${book.entries.length} pages`}
      </p>
      {book === null ? null : (
        <VirtualList
          className="grow"
          label="Pages"
          count={found.length}
          rowHeight={ROW_PX}
          active={found.findIndex((one) => one.id === open)}
          onActivate={showFound}
          row={(index, isOpen) => <PageRow entry={found[index]} open={isOpen} />}
        />
      )}
    </>
  );
}

function PageRow({ entry, open }: { readonly entry: Entry | undefined; readonly open: boolean }) {
  if (entry === undefined) return null;
  return (
    <Stack as="span" className={cx(styles.row, open && styles.open)} data-page={entry.id}>
      <span className="ellipsis">{entry.title}</span>
      <span className={cx(styles.rowKind, "ellipsis small")}>
        {KIND_TITLES[entry.kind]}
        {entry.name === "" ? "" : ` · ${entry.name}`}
      </span>
    </Stack>
  );
}
