/** What the current step did, in a sentence, and the spans around it. */

import type { TraceEvent } from "../../engine/trace/event.ts";
import { RuleLink } from "../inspectors/rule/rule-link.tsx";
import { KindMark } from "../inspectors/shared/kind-mark.tsx";
import { LinkedText } from "../inspectors/shared/linked-text.tsx";
import { OtherPolicyBadge } from "../inspectors/shared/other-policy.tsx";
import { PhiButton } from "../inspectors/shared/phi-offer.tsx";
import { Verdict } from "../inspectors/shared/verdict.tsx";
import { plainName } from "../names/phases.ts";
import { KIND_INFO } from "../session/event-kinds.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { selectEvent, selectPhase, selectRecorded, selectSentence } from "../session/selectors.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Row, Stack } from "../ui/layout.tsx";
import styles from "./timeline.module.css";

/** The span around a whole phase repeats the first crumb. */
const isPart = ({ facts }: TraceEvent): boolean => facts.pipeline !== true;

/** What is after the colon of a long one is its detail: the title has it. */
const inShort = (sentence: string): string => (sentence.length > 32 ? (sentence.split(": ")[0] ?? "") : sentence);

const NO_STACK: readonly never[] = [];

export function Now() {
  const sentence = useSession(selectSentence);
  const event = useSession(selectEvent);
  const phase = useSession(selectPhase);
  const stack = useSession((s) => s.position.moment?.stack ?? NO_STACK);
  const shown = useSession((s) => s.position.moment?.step ?? -1);
  const stopped = useSession((s) => s.position.stopped === "recording");
  const embed = useSession((s) => s.view.embed);
  const recorded = useSession(selectRecorded);
  const { position } = useActions();
  return (
    <Stack justify="center" rigid className={cx(styles.now, "line-below")} data-step-menu="step">
      <nav className={cx(styles.crumbs, "small muted nowrap")} aria-label="Enclosing spans">
        {phase === null ? null : !stack.some(isPart) ? (
          plainName(phase)
        ) : (
          <button type="button" className={cx(styles.crumb, "ellipsis")} onClick={() => position.seek("start")}>
            {plainName(phase)}
          </button>
        )}
        {stack.filter(isPart).map((span) => (
          <span key={span.step} className={styles.part}>
            <span aria-hidden="true">›</span>
            <button type="button" className={cx(styles.crumb, "ellipsis")} onClick={() => position.seek(span.step)} title={span.sentence}>
              {inShort(span.sentence)}
            </button>
          </span>
        ))}
        {event === null ? null : (
          <>
            <span aria-hidden="true">›</span>
            <span className={cx(styles.kind, "rigid")}>{KIND_INFO[event.kind].title}</span>
            <RuleLink />
          </>
        )}
      </nav>
      <Row wrap align="baseline" gap={["hair", 2]}>
        <p className={styles.sentence} data-testid="sentence" data-step={shown}>
          {event === null ? null : <KindMark kind={event.kind} />}
          <span className={styles.said}>
            <LinkedText text={sentence} />
          </span>
          {event === null ? null : <Verdict facts={event.facts} phase={phase?.id} />}
          {event === null ? null : <OtherPolicyBadge facts={event.facts} />}
        </p>
        <PhiButton link />
        {stopped ? (
          <Button variant="link" onClick={position.askAgain}>
            Record it again
          </Button>
        ) : null}
        {embed || recorded || phase === null ? null : <WhatIf />}
      </Row>
    </Stack>
  );
}

function WhatIf() {
  const open = useSession((s) => s.view.open);
  const { view } = useActions();
  // The comparison has the middle.
  const shown = open.experiment !== null && open.experiment !== "compare";
  return (
    <Button
      className={styles.whatIf}
      pressed={shown}
      title="Try it otherwise: skip, stop, change, run (W)"
      onClick={() => (shown ? view.set({ open: { ...open, experiment: null } }) : view.open("what-if"))}
    >
      What if …?
    </Button>
  );
}
