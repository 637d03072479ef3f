/** The tab of the user's pass: its text, its place in the pipeline, and below them its results. */

import { useCallback, useEffect, useMemo } from "react";
import { openHelp } from "../../../../app/session/help.ts";
import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import { Splitter } from "../../../../app/ui/splitter.tsx";
import { runTests } from "../check/run-check.ts";
import type { TestSign } from "../editor/pass-editor.ts";
import { PassText } from "../editor/pass-text.tsx";
import { selectPassLine } from "../own-phase.ts";
import styles from "./pane.module.css";
import { Panels } from "./panels.tsx";
import { PassBar } from "./pass-bar.tsx";
import { TemplateList } from "./template-list.tsx";

export function PassTab() {
  const source = useSession((s) => s.ownpass.source);
  const closed = useSession((s) => s.ownpass.aside.at(-1)?.title ?? null);
  const { ownpass } = useActions();
  if (source !== null) return <OpenPass source={source} />;
  return (
    <Stack fill scroll>
      <Stack gap={2} pad={[2, 3]}>
        <h2 className="strong">Write a pass</h2>
        <p>
          A pass is a TypeScript file that receives the program and changes it. It runs in a sandbox, you can step through it like any
          phase, and it is checked on random programs.
        </p>
        {closed === null ? null : (
          <p>
            <Button onClick={ownpass.undo}>Open “{closed}” again</Button>
          </p>
        )}
        <TemplateList />
      </Stack>
    </Stack>
  );
}

/** Quiet time after a key before the tests run. */
const TESTS_MS = 400;
const NO_SIGNS: readonly TestSign[] = [];

function OpenPass({ source }: { readonly source: string }) {
  const session = useSessionObject();
  const { ownpass, breakpoints, notify } = useActions();
  const linked = useSession((s) => s.ownpass.linked);
  const embed = useSession((s) => s.view.embed);
  const problems = useSession((s) => s.ownpass.problems);
  const current = useSession(selectPassLine);
  const list = useSession((s) => s.breakpoints.list);
  const reveal = useSession((s) => s.ownpass.reveal);
  const tested = useSession((s) => s.passCheck.tested);
  useTests(source, linked);

  const stops = useMemo(() => list.flatMap(({ enabled, breakpoint: b }) => (enabled && b.kind === "line" ? [b.line] : [])), [list]);
  const signs = useMemo(
    (): readonly TestSign[] =>
      tested === null || tested.source !== source || tested.answer.kind !== "tested"
        ? NO_SIGNS
        : tested.answer.results.map(({ name, line, problem }) => ({
            line,
            holds: problem === null,
            said: problem === null ? `Test '${name}' passes` : `Test '${name}': ${problem}`,
          })),
    [tested, source],
  );
  const place = useMemo(() => (reveal === null ? null : { line: reveal.line, column: 1 }), [reveal]);
  const onBreakpoint = useCallback((line: number) => breakpoints.toggle({ kind: "line", line }), [breakpoints]);

  return (
    <Stack fill className={styles.pass}>
      <PassBar />
      {linked ? (
        <p className={cx(styles.linked, "rigid line-below")} role="note">
          This pass came from a link, a case file or a lab and has not run yet. Read it, then press Run. Its code runs in a sandbox without
          access to the network, storage or this page.
        </p>
      ) : null}
      <Splitter
        id="pass-parts"
        orientation="vertical"
        panes={[
          {
            id: "pass-text",
            min: "80px",
            content: (
              <PassText
                text={source}
                readOnly={embed}
                messages={problems}
                tests={signs}
                current={current}
                breakpoints={stops}
                reveal={place}
                onText={ownpass.setSource}
                onBreakpoint={onBreakpoint}
                onRevealed={() => ownpass.reveal(null)}
                onTypes={ownpass.setTypes}
                onTooLong={(length) => notify("error", `The text has ${plural(length, "character")}: too long for a pass.`)}
                onTabKey={(leaves) =>
                  notify("info", leaves ? "Tab leaves the editor." : "Tab indents. After the same key, it leaves the editor again.")
                }
                onHandbook={(word) => openHelp(session, word === "" ? "" : `api:${word}`)}
                onTypesMissing={() =>
                  notify(
                    "warning",
                    "No completion or type checking: TypeScript is loaded the first time the Pass tab is opened online, and then kept. Reload the page while online. Editing, Run, tests and Check work without it.",
                  )
                }
                onFailed={() => session.actions.notify("warning", "The pass editor could not be loaded; use the plain text field instead.")}
              />
            ),
          },
          { id: "pass-panels", size: "34%", min: "60px", bar: "Resize the panel below the pass", content: <Panels source={source} /> },
        ]}
      />
    </Stack>
  );
}

/** Runs the tests of the file while the user types; those of a pass that came with a link wait for the press. */
function useTests(source: string, linked: boolean): void {
  const session = useSessionObject();
  useEffect(() => {
    if (linked) return;
    const timer = setTimeout(() => void runTests(session, source), TESTS_MS);
    return () => clearTimeout(timer);
  }, [session, source, linked]);
}
