/** The text of a lab, what is wrong with it and where, and the ways out: try it, share it, keep it. */

import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import type { Session } from "../../../../app/session/session.ts";
import { download, safeName } from "../../../../app/share/download.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { messageOf } from "../../../../app/ui/failure.ts";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { OpenedLab } from "../../engine/desk.ts";
import type { Vocabulary } from "../../engine/vocabulary.ts";
import { copyLabLink } from "../copy-link.ts";
import { type DeskClient, startDesk } from "../desk-client.ts";
import styles from "../lab.module.css";
import { openLab } from "../open-lab.ts";
import { draftIn, type LabDraft } from "../state.ts";
import { SKELETONS, withSkeleton } from "./ask.ts";
import { completionAt } from "./complete.ts";
import { draftOf, setDraft, startAgain, undoDraft } from "./draft.ts";
import { Preview } from "./preview.tsx";

/** After the last key. */
const WAIT_MS = 250;

export function Writer() {
  const session = useSessionObject();
  const draft = useSession((s) => draftIn(s.lab));
  useEffect(() => void draftOf(session), [session]);
  return draft === null ? <p role="status">Reading…</p> : <OpenDraft draft={draft} />;
}

function OpenDraft({ draft: { text, stored, former } }: { readonly draft: LabDraft }) {
  const { desk, words, read, failure } = useLabText(text);
  const area = useRef<HTMLTextAreaElement>(null);
  const [preview, setPreview] = useState(false);
  const empty = text.trim() === "";
  return (
    <Stack gap={3}>
      <LabText text={text} area={area} words={words} />
      <p role="status" className="muted">
        {empty
          ? "Choose a kind of task to begin. The front matter and the open program are added with the first."
          : failure !== null
            ? `It could not be read: ${failure}.`
            : read === null
              ? "Reading…"
              : said(read)}
        {stored ? "" : " The browser does not save it: copy it before you leave."}
      </p>
      {read === null || read.diagnostics.length === 0 || empty ? null : <Problems diagnostics={read.diagnostics} area={area} />}
      <Row wrap gap={2} className={styles.buttons}>
        <NewTask text={text} area={area} />
        <Button disabled={read?.lab == null} pressed={preview} onClick={() => setPreview(!preview)}>
          Preview
        </Button>
        <WaysOut text={text} read={read} former={former} />
      </Row>
      {preview && read?.lab != null && desk !== null ? <Preview desk={desk} lab={read.lab} /> : null}
    </Stack>
  );
}

interface LabReading {
  readonly desk: DeskClient | null;
  /** What can be written; null: nothing is offered. */
  readonly words: Vocabulary | null;
  /** null: it is being read. */
  readonly read: OpenedLab | null;
  readonly failure: string | null;
}

/** Reads the text on a separate thread, shortly after the last key. */
function useLabText(text: string): LabReading {
  const [desk, setDesk] = useState<DeskClient | null>(null);
  const [words, setWords] = useState<Vocabulary | null>(null);
  const [read, setRead] = useState<OpenedLab | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const started = startDesk();
    setDesk(started);
    // A fault of the thread is reported where the text is read.
    started.ask("vocabulary").then(setWords, () => setWords(null));
    return () => started.dispose();
  }, []);
  useEffect(() => {
    let gone = false;
    setRead(null);
    const timer = setTimeout(() => {
      desk?.open(text).then(
        (found) => {
          if (gone) return;
          setFailure(null);
          setRead(found);
        },
        (error: unknown) => {
          if (!gone) setFailure(messageOf(error));
        },
      );
    }, WAIT_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [desk, text]);
  return { desk, words, read, failure };
}

type Area = RefObject<HTMLTextAreaElement | null>;

/** The text, and what can be inserted at the caret. */
function LabText({ text, area, words }: { readonly text: string; readonly area: Area; readonly words: Vocabulary | null }) {
  const session = useSessionObject();
  const offers = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(0);
  const id = useId();
  const hintId = useId();
  const completion = words === null ? null : completionAt(text, Math.min(caret, text.length), words);
  const take = (item: string): void => {
    const field = area.current;
    if (field === null || completion === null) return;
    insert(field, completion.from, Math.min(caret, text.length), item);
    setCaret(field.selectionStart);
  };
  return (
    <>
      <Stack gap="hair" className={styles.area}>
        <label htmlFor={id}>The lab’s text: Markdown, with programs and tasks in fenced blocks</label>
        <textarea
          id={id}
          ref={area}
          rows={18}
          // biome-ignore lint/a11y/noAutofocus: the dialog is there to write in
          autoFocus
          className="mono"
          spellCheck={false}
          aria-describedby={hintId}
          value={text}
          onChange={(event) => {
            setCaret(event.target.selectionStart);
            setDraft(session, event.target.value);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (event.key !== " " || !event.ctrlKey) return;
            event.preventDefault();
            offers.current?.querySelector("button")?.focus();
          }}
        />
        <p id={hintId} className="muted">
          Ctrl+Space lists what can be inserted at the caret.
        </p>
      </Stack>
      {completion === null || completion.items.length === 0 ? null : (
        <Row ref={offers} role="toolbar" aria-label="What can go here" wrap gap={1} className={styles.offers}>
          {completion.items.map((item) => (
            <Button key={item} variant="quiet" className="mono" onClick={() => take(item)}>
              {item.trim()}
            </Button>
          ))}
        </Row>
      )}
    </>
  );
}

function Problems({ diagnostics, area }: { readonly diagnostics: OpenedLab["diagnostics"]; readonly area: Area }) {
  return (
    <Stack as="ul" gap="hair" className={styles.items} aria-label="Problems">
      {diagnostics.map(({ line, column, message, severity, code, suggestion }) => (
        <li key={`${line}:${column} ${code} ${message}`}>
          <Button variant="quiet" onClick={() => goTo(area.current, line, column)}>
            Line {line}
          </Button>
          <span className="grow">
            {severity}: {message} {suggestion === null ? null : <code>{suggestion}</code>}
          </span>
        </li>
      ))}
    </Stack>
  );
}

/** Adds the skeleton of a task; with the first, the front matter and the open program too. */
function NewTask({ text, area }: { readonly text: string; readonly area: Area }) {
  const session = useSessionObject();
  return (
    <label>
      New task{" "}
      <select
        value=""
        onChange={(event) => {
          const next = withSkeleton(text, event.target.value, openProgram(session));
          const same = sharedStart(text, next);
          if (area.current !== null) insert(area.current, same, text.length, next.slice(same));
        }}
      >
        <option value="">choose a kind</option>
        {Object.keys(SKELETONS).map((kind) => (
          <option key={kind} value={kind}>
            {kind}
          </option>
        ))}
      </select>
    </label>
  );
}

function WaysOut({ text, read, former }: Pick<LabDraft, "text" | "former"> & Pick<LabReading, "read">) {
  const session = useSessionObject();
  const source = { text, title: read?.lab?.title ?? "lab", classKey: "", course: null };
  const usable = read?.lab != null;
  return (
    <>
      <Button variant="primary" disabled={!usable} onClick={() => openLab(session, source)}>
        Try it as a student
      </Button>
      <Button disabled={!usable} onClick={() => void copyLabLink(session, source)}>
        Copy a link to it
      </Button>
      <Button disabled={text === ""} onClick={() => download(`${safeName(read?.lab?.id ?? "lab")}.md`, text, "text/markdown")}>
        Download the file
      </Button>
      <Button variant="quiet" disabled={text === ""} onClick={() => startAgain(session)}>
        Start again
      </Button>
      {former === null ? null : (
        <Button variant="quiet" onClick={() => undoDraft(session)}>
          Bring back the lab before
        </Button>
      )}
    </>
  );
}

function openProgram(session: Session): Parameters<typeof withSkeleton>[2] {
  const { open, text } = session.store.getState().document;
  return open?.ok === true ? { text, format: open.format } : null;
}

function said({ lab, diagnostics }: OpenedLab): string {
  const errors = diagnostics.filter((d) => d.severity === "error").length;
  if (lab === null) return errors === 0 ? "" : `${plural(errors, "error")}: it is not complete yet.`;
  return `${plural(lab.tasks.length, "task")}, ${plural(lab.max, "point")}. On the command line, “lab check” also solves every task.`;
}

/** Replaces a part of the text as typing does: the field's own undo takes it back. */
function insert(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  field.focus();
  field.setSelectionRange(from, to);
  // There is no other way to an edit that the field can undo.
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function sharedStart(a: string, b: string): number {
  let n = 0;
  while (n < Math.min(a.length, b.length) && a[n] === b[n]) n++;
  return n;
}

/** Puts the caret at a place of the text, and the line into sight. */
function goTo(area: HTMLTextAreaElement | null, line: number, column: number): void {
  if (area === null) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Math.max(0, column - 1);
  area.focus();
  area.setSelectionRange(start, start);
  area.scrollTop = (area.scrollHeight * Math.max(0, line - 4)) / Math.max(1, lines.length);
}
