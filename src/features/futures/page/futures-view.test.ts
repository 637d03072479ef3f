import { expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession, type Session } from "../../../app/session/session.ts";
import { until } from "../../../app/testing/until.ts";
import { localEngine } from "../../../worker/local.ts";
import { continueEdited } from "./continue-edited.ts";
import { draftOf, withDraft } from "./drafts.ts";
import { FUTURES } from "./feature.ts";
import type { EditHere } from "./futures-view.ts";
import { ROOT } from "./tree.ts";
import { refusalsOf } from "./use-futures.ts";

const TEXT = ".kernel k(a: R0, out: RD1)\nA:\n    IADD R2, R0, 1\n    IADD R3, R0, 1\n    IADD R4, R2, R3\n    STG [RD1], R4\n    EXIT\n";
const OTHER = ".kernel k(a: R0, out: RD1)\nB:\n    IMUL R5, R0, R0\n    STG [RD1], R5\n    EXIT\n";

async function opened(): Promise<Session> {
  const session = createSession(localPort(localEngine), { features: [FUTURES] });
  await openText(session, TEXT);
  return session;
}

async function openText(session: Session, text: string): Promise<void> {
  session.actions.document.openText({ text, title: "test" });
  await until(session, ({ position, run }) => position.moment !== null && position.state === "loaded" && !run.stale);
}

async function editing(session: Session): Promise<EditHere> {
  session.command("future.edit-before")?.run(session);
  await until(session, ({ futuresView }) => futuresView.edit !== null);
  const { edit } = session.store.getState().futuresView;
  if (edit === null) throw new Error("not open");
  return edit;
}

const view = (session: Session) => session.store.getState().futuresView;

it("what is edited, chosen and renamed ends with the program; a draft is restored when the program is edited again", async () => {
  const session = await opened();
  const edit = await editing(session);
  const typed = edit.text.replace("IADD", "ISUB");
  session.patch("futuresView", { drafts: withDraft(view(session), edit, typed), renaming: 1 });
  session.command("future.another-value")?.run(session);
  expect(view(session).value).not.toBeNull();
  await openText(session, OTHER);
  expect(view(session)).toMatchObject({ edit: null, value: null, renaming: null });
  const other = await editing(session);
  expect(draftOf(view(session), other)).toBeNull();
  session.patch("futuresView", { drafts: withDraft(view(session), other, `${other.text}\n`) });
  await openText(session, TEXT);
  expect(draftOf(view(session), await editing(session))).toBe(typed);
  session.dispose();
});

it("a text that is still being printed or checked when a different program opens is not put into that one", async () => {
  const session = await opened();
  session.command("future.edit-before")?.run(session);
  await openText(session, OTHER);
  expect(view(session).edit).toBeNull();
  await openText(session, TEXT);
  const edit = await editing(session);
  const checked = continueEdited(session, edit, edit.text.replace("IADD", "ISUB"));
  await openText(session, OTHER);
  expect(await checked).toEqual([]);
  expect(session.store.getState().futures.list).toEqual([]);
  session.dispose();
});

it("a removal is not offered for undo once a different program is open", async () => {
  const session = await opened();
  session.command("future.leave-out")?.run(session);
  session.actions.futures.remove(1);
  const notices = () => session.store.getState().notices.map(({ text }) => text);
  expect(notices()).toEqual([expect.stringContaining("was removed")]);
  await openText(session, OTHER);
  expect(notices()).toEqual([]);
  session.dispose();
});

it("an edited program of a kernel that is renamed in the source says why its future did not run", async () => {
  const session = await opened();
  const { actions, store } = session;
  const edit = await editing(session);
  await continueEdited(session, edit, edit.text.replace("IADD", "ISUB"));
  await until(session, ({ run }) => !run.stale);
  expect(refusalsOf(store.getState())).toEqual([]);
  actions.document.setText(TEXT.replace("kernel k", "kernel kk"));
  await until(session, ({ run }) => run.result?.phases.length === 0);
  expect(refusalsOf(store.getState())).toEqual([
    expect.stringMatching(/^edit .*, line 1: the edited program is of the kernel k, not of kk$/),
  ]);
  actions.futures.open(ROOT);
  await until(session, ({ run, position }) => !run.stale && position.moment !== null);
  expect(refusalsOf(store.getState())).toEqual([]);
  session.dispose();
});
