/** A condition on the state: typed with completion, set as a breakpoint, and searched for in all phases. */

import { useEffect, useState } from "react";
import type { WatchCheck, WatchReport } from "../../engine/api/types.ts";
import { numberedName } from "../names/phase-status.ts";
import { whyNotShown } from "../session/command.ts";
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
  const [pressed, setPressed] = useState(false);
  const [check, setCheck] = useCheck(text);
  const { found, search } = useHits();
  const why = useSession(whyNotShown);

  /** Does it with the condition if that can be read; otherwise shows why not. */
  const withCondition = async (work: (condition: string) => unknown): Promise<void> => {
    try {
      const answer = await session.api.checkWatch(text);
      setCheck(answer);
      setPressed(true);
      if (answer.problem === null && text.trim() !== "") await work(text.trim());
    } catch (error) {
      session.actions.notify("error", `The condition could not be read: ${messageOf(error)}`);
    }
  };
  const change = (next: string): void => {
    setText(next);
    setPressed(false);
  };
  const add = (): void =>
    void withCondition((condition) => {
      session.actions.breakpoints.toggle({ kind: "watch", text: condition });
      change("");
    });
  return (
    <>
      <Row align="end" gap={2}>
        <CompletedField
          label="State becomes"
          value={text}
          placeholder="not edge(BB3, BB7)"
          error={pressed ? check.problem : null}
          completions={check.completions}
          onChange={change}
          onSubmit={add}
        />
        <Button onClick={add}>Add</Button>
        <Button disabled={why !== null} title={why ?? undefined} onClick={() => void withCondition(search)}>
          Find in all phases
        </Button>
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

/** What the engine makes of a condition, requested when the typing pauses. */
function useCheck(text: string): readonly [WatchCheck, (check: WatchCheck) => void] {
  const { api } = useSessionObject();
  const [check, setCheck] = useState(NOTHING);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      api.checkWatch(text).then(
        (answer) => gone || setCheck(answer),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [api, text]);
  return [check, setCheck];
}

/** The steps at which a condition becomes true, or why they could not be found. */
function useHits() {
  const session = useSessionObject();
  const [found, keep] = useResult<WatchReport | string>();

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

  const search = async (text: string): Promise<void> => {
    const owned = withProvenanceNow(session);
    const { epoch } = session.store.getState().run;
    const report = await session.api.watch(text, null);
    keep(owned(report));
    session.patch("breakpoints", { watched: typeof report === "string" ? null : { epoch, text, times: timesOf(report) } });
  };
  return { found, search };
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
