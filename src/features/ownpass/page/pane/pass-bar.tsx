/** The bar over a pass: its place in the pipeline, Run, and what the last run said. */

import { useMemo } from "react";
import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import type { SessionState } from "../../../../app/session/state.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button, IconButton } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { Row } from "../../../../app/ui/layout.tsx";
import { MenuButton } from "../../../../app/ui/menu-button.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import { Select, type SelectOption } from "../../../../app/ui/select.tsx";
import { downloadPass, openPassFile } from "../files.ts";
import type { PassAnalysis } from "../state.ts";
import styles from "./pane.module.css";

export function PassBar() {
  const session = useSessionObject();
  const { ownpass } = useActions();
  const on = useSession((s) => s.ownpass.on);
  const running = useSession((s) => s.ownpass.running);
  const everyLine = useSession((s) => s.ownpass.everyLine);
  const closed = useSession((s) => s.ownpass.aside.at(-1)?.title ?? null);
  return (
    <Row rigid className={cx(styles.bar, "line-below")}>
      <Button variant="primary" title="Run the pass on the open program (Ctrl+Enter)" onClick={ownpass.run}>
        Run
      </Button>
      <Button disabled={!on && !running} title="Remove the pass from the pipeline and stop it if it is running" onClick={ownpass.stop}>
        Stop
      </Button>
      <PlaceSelect />
      <Said />
      {running ? <Badge>running…</Badge> : null}
      <span className={styles.more}>
        <MenuButton
          trigger={<IconButton icon="more" label="More pass actions" />}
          entries={() => [
            {
              kind: "item",
              id: "lines",
              title: "Step through every line",
              checked: everyLine,
              run: () => ownpass.setEveryLine(!everyLine),
            },
            { kind: "separator", id: "file" },
            { kind: "item", id: "templates", title: "Templates", run: () => session.patch("passCheck", { panel: "templates" }) },
            { kind: "item", id: "open", title: "Open a file…", run: () => void openPassFile(session) },
            { kind: "item", id: "save", title: "Save as a file", run: () => downloadPass(session) },
            { kind: "separator", id: "separator" },
            { kind: "item", id: "close", title: "Close the pass", run: ownpass.remove },
            ...(closed === null ? [] : [{ kind: "item", id: "undo", title: `Open “${closed}” again`, run: ownpass.undo } as const]),
          ]}
        />
      </span>
    </Row>
  );
}

const ALONE = "alone";

/** The position of the pass: alone, or next to a phase of the pipeline that runs. */
function PlaceSelect() {
  const { ownpass } = useActions();
  const place = useSession((s) => s.ownpass.place);
  const phases = useSession((s) => s.engine.phases);
  const analysis = useSession((s) => s.ownpass.described?.kind === "analysis");
  const options = useMemo((): readonly SelectOption[] => {
    const running = phases.filter((p) => p.runs && p.number !== null);
    const [first] = running;
    return [
      { value: ALONE, title: analysis ? "no phase: the program shown" : "alone" },
      ...(first === undefined ? [] : [{ value: `before:${first.number}`, title: `before ${first.number} ${first.name}` }]),
      ...running.map(({ number, name }) => ({ value: `after:${number}`, title: `after ${number} ${name}` })),
    ];
  }, [phases, analysis]);
  const value = place === null ? ALONE : `${place.side}:${place.run}`;
  // A link may name a place that does not run here.
  const known = options.some((o) => o.value === value);
  return (
    <span className={styles.place}>
      <Select
        label="Position of the pass"
        hideLabel
        title={analysis ? "At a position in the pipeline you can step through the analysis" : "Where the pass runs in the pipeline"}
        value={value}
        options={known || place === null ? options : [...options, { value, title: `${place.side} ${place.run}` }]}
        onChange={(next) => {
          const [side, run] = next.split(":");
          ownpass.setPlace(run === undefined ? null : { side: side === "before" ? "before" : "after", run });
        }}
      />
    </span>
  );
}

/** What the last run said, for eyes and screen readers. */
function Said() {
  const { ownpass } = useActions();
  const text = useSession(sentenceOf);
  const line = useSession((s) => s.ownpass.problems[0]?.line ?? 0);
  return (
    <span className={cx(styles.said, "ellipsis grow")} role="status" data-testid="pass-said" title={text}>
      {line > 0 ? (
        <Button variant="link" onClick={() => ownpass.reveal(line)}>
          {text}
        </Button>
      ) : (
        text
      )}
    </span>
  );
}

function sentenceOf({ ownpass }: SessionState): string {
  const { problems, report, on, described, source, ran, analysis } = ownpass;
  const [first] = problems;
  if (first !== undefined) return first.line > 0 ? `line ${first.line}: ${first.message}` : first.message;
  if (!on) return "";
  if (described?.kind === "analysis") return analysisSentence(described.name, analysis?.source === source ? analysis : null);
  if (report === null || described === null || source !== ran) return "";
  const why = report.why === null ? "nothing to change" : report.why;
  return report.changed ? `${described.name}: ${plural(report.rewrites, "rewrite")}` : `${described.name}: ${why}`;
}

function analysisSentence(name: string, analysis: PassAnalysis | null): string {
  if (analysis === null) return `${name}: an analysis`;
  const { of, blocks } = analysis;
  const differ = blocks.filter((b) => !b.same).length;
  if (of === null) return `${name}: ${plural(blocks.length, "block")}`;
  return differ === 0
    ? `${name}: same as our ${of} in all ${plural(blocks.length, "block")}`
    : `${name}: differs from our ${of} in ${differ} of ${plural(blocks.length, "block")}`;
}
