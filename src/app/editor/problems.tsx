/** Diagnostics of the text: a line that counts them, and the list. */

import { useState } from "react";
import type { Diagnostic } from "../../engine/api/types.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { selectEarlier, selectEarlierRun } from "../session/provenance.ts";
import { selectAhead, selectDiagnostics, selectReading, selectStale } from "../session/selectors.ts";
import { NO_DIAGNOSTICS } from "../session/state.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icons.tsx";
import { isApple } from "../ui/kbd.tsx";
import { Row } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import styles from "./editor.module.css";
import { useBlank } from "./use-blank.ts";

const TONES = { error: "tone-error", warning: "tone-warn", info: "tone-info" } as const;

export function Problems() {
  const text = useSession(selectDiagnostics) ?? NO_DIAGNOSTICS;
  const run = useSession((s) => (selectEarlierRun(s) ? null : s.run.result?.diagnostics) ?? NO_DIAGNOSTICS);
  // Nothing is shown for a text that belongs to the previous program.
  const stale = useSession((s) => selectStale(s) && !selectEarlier(s));
  const blank = useBlank();
  const running = useSession((s) => s.run.running);
  const [open, setOpen] = useState(true);
  const list = blank ? NO_DIAGNOSTICS : [...text, ...run];
  const errors = list.filter((d) => d.severity === "error").length;
  const warnings = list.filter((d) => d.severity === "warning").length;
  return (
    <>
      {open && list.length > 0 ? (
        <ul className={cx(styles.problems, "rigid line-above")} aria-label="Problems" data-testid="problems">
          {list.map((d, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two diagnostics may be equal
            <li key={i}>
              <Problem diagnostic={d} />
            </li>
          ))}
        </ul>
      ) : null}
      <Row gap={2} pad={[0, 2]} rigid className={cx(styles.status, "line-above quiet")}>
        <Button variant="quiet" aria-expanded={open} disabled={list.length === 0} onClick={() => setOpen(!open)}>
          {blank ? "Empty" : list.length === 0 ? "No problems" : `${plural(errors, "error")}, ${plural(warnings, "warning")}`}
        </Button>
        <span className="ellipsis grow" />
        <span className={cx(styles.keyhint, "ellipsis small muted")}>
          Tab leaves the editor ({isApple ? "Ctrl+Shift+M" : "Ctrl+M"} to indent)
        </span>
        <OtherKernels />
        {running ? <Badge>running…</Badge> : null}
        {stale && !blank ? (
          <Badge tone="warn" title="Graph, timeline and inspectors show the last version of the text without errors">
            <span>
              <Long>result of the </Long>last valid text
            </span>
          </Badge>
        ) : null}
      </Row>
    </>
  );
}

/** A line of the list: a click leads to its place in the text. */
function Problem({ diagnostic: { severity, line, column, message, suggestion, length, code } }: { readonly diagnostic: Diagnostic }) {
  const { view } = useActions();
  return (
    <button
      type="button"
      className="line-button"
      onClick={() => view.set({ editorTab: "source", reveal: { line: Math.max(1, line), column: Math.max(1, column) } })}
    >
      <span className={TONES[severity]} title={severity}>
        <Icon name={severity} size={12} />
        <span className="visually-hidden">{severity}</span>
      </span>
      <span className="muted num nowrap">{line > 0 ? `${line}:${column}` : "options"}</span>
      <span className="grow">
        {message}
        {suggestion === null ? null : (
          <span className="muted"> {/\s/.test(suggestion) || length === 0 ? suggestion : `Did you mean ${suggestion}?`}</span>
        )}
      </span>
      <span className="muted num nowrap">{code}</span>
    </button>
  );
}

/** The kernels that are not on screen: how many are read, then how many have run. */
function OtherKernels() {
  const reading = useSession(selectReading);
  const ahead = useSession(selectAhead);
  return (
    <>
      <span className="visually-hidden" role="status">
        {reading === null ? "" : "Reading the other kernels"}
      </span>
      {reading === null ? null : (
        <span data-testid="progress">
          <Badge title={`Reading kernels: ${reading}. The kernel on screen was read first. You can already choose any other.`}>
            <Count does="reading" count={reading} />
          </Badge>
        </span>
      )}
      {reading !== null || ahead === null ? null : (
        <span data-testid="ahead">
          <Badge title={`Running kernels: ${ahead}. The pipeline is running on the other kernels in advance, so that each opens at once.`}>
            <Count does="running" count={ahead} />
          </Badge>
        </span>
      )}
    </>
  );
}

function Count({ does, count }: { readonly does: string; readonly count: string }) {
  return (
    <span>
      {does}
      <Long> kernels</Long>: {count}
    </span>
  );
}

/** Words of a badge that a narrow row has no room for: they are still read out. */
function Long({ children }: { readonly children: string }) {
  return <span className={styles.long}>{children}</span>;
}
