/** A condition on the state: typed with completion, set as a breakpoint, and searched for in all phases. */

import { useEffect, useState } from "react";
import type { WatchCheck, WatchReport } from "../../engine/api/types.ts";
import { numberedName } from "../names/phase-status.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { selectPhases } from "../session/selectors.ts";
import { useResult, withProvenanceNow } from "../session/use-result.ts";
import { Button } from "../ui/button.tsx";
import { CompletedField } from "../ui/completed-field.tsx";
import { messageOf } from "../ui/failure.ts";
import { Row } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import styles from "./watch-field.module.css";

const NOTHING: WatchCheck = { problem: null, completions: [] };
/** Delay after a key before the request to the engine. */
const PAUSE_MS = 120;
const MOST_SHOWN = 200;

export function WatchField() {
  const session = useSessionObject();
  const [text, setText] = useState(() => session.store.getState().breakpoints.wanted ?? "");
  const [check, setCheck] = useState(NOTHING);
  const [pressed, setPressed] = useState(false);
  const [found, keep] = useResult<WatchReport | string>();

  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      session.api.checkWatch(text).then(
        (answer) => gone || setCheck(answer),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [session, text]);

  // A condition that was just set from a menu is searched immediately.
  useEffect(() => {
    const { wanted } = session.store.getState().breakpoints;
    if (wanted === null) return;
    session.patch("breakpoints", { wanted: null });
    const owned = withProvenanceNow(session);
    session.api.watch(wanted, null).then(
      (report) => keep(owned(report)),
      (error: unknown) => keep(owned(messageOf(error))),
    );
  }, [session, keep]);

  /** Whether the condition can be read, or why not. */
  const readable = async (): Promise<boolean> => {
    const answer = await session.api.checkWatch(text);
    setCheck(answer);
    setPressed(true);
    return answer.problem === null && text.trim() !== "";
  };
  const failed = (error: unknown): void => session.actions.notify("error", `The condition could not be read: ${messageOf(error)}`);
  const add = async (): Promise<void> => {
    if (!(await readable())) return;
    session.actions.breakpoints.toggle({ kind: "watch", text: text.trim() });
    setText("");
    setPressed(false);
  };
  const search = async (): Promise<void> => {
    if (!(await readable())) return;
    const owned = withProvenanceNow(session);
    const { epoch } = session.store.getState().run;
    const watched = text.trim();
    const report = await session.api.watch(watched, null);
    keep(owned(report));
    session.patch("breakpoints", { watched: typeof report === "string" ? null : { epoch, text: watched, times: timesOf(report) } });
  };
  return (
    <>
      <Row align="end" gap={2}>
        <CompletedField
          label="State becomes"
          value={text}
          placeholder="not edge(BB3, BB7)"
          error={pressed ? check.problem : null}
          completions={check.completions}
          onChange={(next) => {
            setText(next);
            setPressed(false);
          }}
          onSubmit={() => void add().catch(failed)}
        />
        <Button onClick={() => void add().catch(failed)}>Add</Button>
        <Button onClick={() => void search().catch(failed)}>Find in all phases</Button>
      </Row>
      <p className="muted">
        blocks, instructions, edges; block(B), edge(A, B), preds(B), succs(B), size(B), flags(B); live(R5, B), defs(R5), uses(R5); inst(12),
        text(12) of an instruction by its number; height(S), chain(S), entries(S) of a structure; changes(…), becomes(…); and, or, not.
      </p>
      <p className="visually-hidden" role="status">
        {found === null || typeof found === "string" ? "" : hitsWords(found)}
      </p>
      {found === null ? null : typeof found === "string" ? <p role="alert">{found}</p> : <Hits report={found} />}
    </>
  );
}

function timesOf({ hits }: WatchReport): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { run } of hits) times.set(run, (times.get(run) ?? 0) + 1);
  return times;
}

function hitsWords({ hits, notes }: WatchReport): string {
  const words = hits.length === 0 ? "It does not become true at any step of any phase." : `${plural(hits.length, "step")} in all phases`;
  return [words, ...notes].join("; ");
}

function Hits({ report }: { readonly report: WatchReport }) {
  const { hits } = report;
  const session = useSessionObject();
  const phases = useSession(selectPhases);
  const called = (run: number, id: string): string => {
    const phase = phases[run];
    return phase === undefined ? id : numberedName(phase);
  };
  return (
    <>
      <p data-testid="watch-hits">{hitsWords(report)}</p>
      <ul className={styles.hits} aria-label="Steps at which it becomes true">
        {hits.slice(0, MOST_SHOWN).map(({ run, phase, step, sentence }) => (
          <li key={`${run}:${step}`}>
            <Button
              variant="link"
              onClick={() => {
                session.actions.position.goTo(run, step);
                session.actions.view.set({ dialog: null });
              }}
            >
              {called(run, phase)}, {step < 0 ? "input" : `step ${step + 1}`}
            </Button>{" "}
            {sentence}
          </li>
        ))}
      </ul>
      {hits.length > MOST_SHOWN ? <p className="muted">{hits.length - MOST_SHOWN} more steps are not listed.</p> : null}
    </>
  );
}
