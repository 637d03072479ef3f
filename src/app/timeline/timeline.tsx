/** The bottom of the window: transport, sentence, the strip of positions, and the open phase's scrubber. */

import { numberedName, phaseStatus, statusTitle } from "../names/phase-status.ts";
import { plainName } from "../names/phases.ts";
import { FeatureSlot } from "../session/feature-slot.tsx";
import { useActions, useSession } from "../session/hooks.ts";
import { OfProgram } from "../session/of-program.tsx";
import { selectEarlier } from "../session/provenance.ts";
import { selectPhase, selectStep, selectTracing } from "../session/selectors.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Row, Stack } from "../ui/layout.tsx";
import { Now } from "./now.tsx";
import { PhaseStrip, StripLegend } from "./phase-strip.tsx";
import { Scrubber } from "./scrubber.tsx";
import styles from "./timeline.module.css";
import { TransportBar, TransportRow } from "./transport-bar.tsx";

export function Timeline({ small = false }: { readonly small?: boolean }) {
  const lanes = useSession((s) => s.view.lanes) && !small;
  const scrubber = (
    <OfProgram>
      <Scrubber lanes={lanes} />
    </OfProgram>
  );
  return (
    <Stack fill className={styles.timeline}>
      <OfProgram>
        <Now />
      </OfProgram>
      {small ? (
        <>
          <Row rigid className={cx(styles.bar, "line-below")}>
            <Where />
            {scrubber}
          </Row>
          <div role="toolbar" aria-label="Transport">
            <TransportRow />
          </div>
        </>
      ) : (
        <Row rigid className={cx(styles.bar, "line-below")} role="toolbar" aria-label="Transport">
          <TransportBar />
          <Where />
          {lanes ? <span className="grow" /> : scrubber}
        </Row>
      )}
      {lanes ? scrubber : null}
      <FeatureSlot of="overStrip" />
      <div className={styles.strip}>
        <PhaseStrip />
        {lanes ? <StripLegend /> : null}
      </div>
    </Stack>
  );
}

function Where() {
  const phase = useSession(selectPhase);
  const step = useSession(selectStep);
  const steps = useSession((s) => s.position.trace?.steps ?? 0);
  const cut = useSession((s) => s.position.trace?.cut === true && !selectEarlier(s));
  const { position } = useActions();
  const tracing = useSession(selectTracing);
  // A step further than the first picture, which the engine is not needed for.
  const waiting = useSession(
    (s) => s.engine.status === "starting" && s.position.moment !== null && s.position.moment.step !== s.position.step,
  );
  if (phase === null) return null;
  const status = phaseStatus(phase);
  return (
    <Row align="baseline" gap={2} pad={[0, 2]} className={cx(styles.where, "nowrap")}>
      <span className={cx(styles.phase, "ellipsis strong")} data-testid="phase" title={phase.name}>
        {numberedName(phase)}
        {/* Seen in the tooltip and the handbook; read out here. */}
        {plainName(phase) === phase.name ? null : <span className="visually-hidden"> {phase.name}</span>}
      </span>
      <OfProgram>
        {steps > 0 ? (
          <span className="rigid quiet num" style={{ minWidth: `${2 * String(steps).length + 6}ch` }} data-testid="step">
            {step < 0 ? "input" : `step ${step + 1}`} / {steps}
          </span>
        ) : null}
      </OfProgram>
      {status === "changed" ? null : <Badge>{statusTitle(phase)}</Badge>}
      {tracing ? <Badge>tracing…</Badge> : waiting ? <Badge>starting the engine…</Badge> : null}
      {cut ? (
        <>
          <Badge
            tone="warn"
            title="The phase ran to its end, but the steps after the last one were not recorded: the recording reached its limit."
          >
            cut after step {steps}
          </Badge>
          {tracing ? null : (
            <Button
              variant="link"
              className={styles.more}
              title="Records four times as many steps, with four times the memory."
              onClick={() => position.recordMore()}
            >
              Record more
            </Button>
          )}
        </>
      ) : null}
    </Row>
  );
}
