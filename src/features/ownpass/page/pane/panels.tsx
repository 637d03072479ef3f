/** Below the pass: messages, the tests of the file, Check, Compare, and templates. */

import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { cx } from "../../../../app/ui/cx.ts";
import { Icon } from "../../../../app/ui/icons.tsx";
import { Stack } from "../../../../app/ui/layout.tsx";
import { Tabs } from "../../../../app/ui/tabs.tsx";
import { selectAnalysis } from "../analysis.ts";
import { PANELS } from "../check/check-state.ts";
import { Blocks } from "./blocks-panel.tsx";
import { CheckPanel } from "./check-panel.tsx";
import { CodeBox } from "./code-box.tsx";
import { ComparePanel } from "./compare-panel.tsx";
import styles from "./pane.module.css";
import { TemplateList } from "./template-list.tsx";

export function Panels({ source }: { readonly source: string }) {
  const { patch } = useSessionObject();
  const open = useSession((s) => s.passCheck.panel);
  const problems = useSession((s) => s.ownpass.problems.length);
  const types = useSession((s) => s.ownpass.types.length);
  const tested = useSession((s) => s.passCheck.tested);
  const results = tested?.answer.kind === "tested" ? tested.answer.results : [];
  const held = results.filter((r) => r.problem === null).length;
  const analysis = useSession((s) => s.ownpass.described?.kind === "analysis");
  const differ = useSession((s) => selectAnalysis(s)?.blocks.filter((b) => !b.same).length ?? 0);
  const count = problems + types;
  return (
    <Stack fill>
      <Tabs
        label="About the pass"
        open={open === "blocks" && !analysis ? "messages" : open}
        onOpen={(id) => {
          const panel = PANELS.find((p) => p === id);
          if (panel !== undefined) patch("passCheck", { panel });
        }}
        items={[
          { id: "messages", title: count === 0 ? "Messages" : `Messages ${count}`, content: <Messages /> },
          ...(analysis ? [{ id: "blocks", title: differ === 0 ? "Blocks" : `Blocks ≠ ${differ}`, content: <Blocks /> }] : []),
          { id: "tests", title: results.length === 0 ? "Tests" : `Tests ${held}/${results.length}`, content: <Tests source={source} /> },
          { id: "check", title: "Check", content: <CheckPanel source={source} /> },
          { id: "compare", title: "Compare", content: <ComparePanel source={source} /> },
          {
            id: "templates",
            title: "Templates",
            content: (
              <Stack fill scroll>
                <Stack gap={2} pad={[2, 3]}>
                  <TemplateList />
                </Stack>
              </Stack>
            ),
          },
        ]}
      />
    </Stack>
  );
}

const NO_MESSAGES =
  "No messages. Type errors and errors of the last run are listed here. The steps of a pass are its messages, its changes and each line with a breakpoint (F9); with “Step through every line” in the menu above, every line is a step.";

/** What the last run and TypeScript said; types stop nothing. */
function Messages() {
  const { ownpass } = useActions();
  const problems = useSession((s) => s.ownpass.problems);
  const types = useSession((s) => s.ownpass.types);
  const rows = [...problems.map((p) => ({ ...p, from: "run" as const })), ...types.map((p) => ({ ...p, from: "types" as const }))];
  if (rows.length === 0) return <p className="pad">{NO_MESSAGES}</p>;
  return (
    <Stack fill scroll>
      <ul aria-label="Messages of the pass" data-testid="pass-messages">
        {rows.map(({ line, message, from }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be equal
          <li key={i}>
            <button type="button" className="line-button" onClick={() => ownpass.reveal(Math.max(1, line))}>
              <span className={from === "run" ? "tone-error" : "tone-warn"}>
                <Icon name={from === "run" ? "error" : "warning"} size={12} />
              </span>
              <span className={cx(styles.where, "rigid muted num")}>{line > 0 ? `line ${line}` : ""}</span>
              <span className="grow breaks">{message}</span>
              <span className={cx(styles.where, "rigid muted num")}>{from === "run" ? "last run" : "types"}</span>
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Tests({ source }: { readonly source: string }) {
  const { ownpass } = useActions();
  const tested = useSession((s) => s.passCheck.tested);
  const linked = useSession((s) => s.ownpass.linked);
  if (linked) return <p className="pad">The tests of a pass from a link run after you press Run for the first time.</p>;
  if (tested === null) return <p className="pad">The tests run as you type.</p>;
  const { answer } = tested;
  if (answer.kind === "unusable")
    return <p className="pad">{answer.line > 0 ? `line ${answer.line}: ${answer.message}` : answer.message}</p>;
  if (answer.results.length === 0)
    return (
      <p className="pad">
        The file has no tests. A test is one line: <code>{'test("name", "MOV R0, 1\\nEXIT", { after: "EXIT" });'}</code>
      </p>
    );
  return (
    <Stack fill scroll aria-busy={tested.source !== source}>
      <ul aria-label="Tests of the file" data-testid="pass-tests">
        {answer.results.map(({ name, line, problem, text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two tests may have one name
          <li key={i}>
            <button type="button" className="line-button" onClick={() => ownpass.reveal(Math.max(1, line))}>
              <span className={problem === null ? "tone-ok" : "tone-error"}>
                <Icon name={problem === null ? "check" : "error"} size={12} />
                <span className="visually-hidden">{problem === null ? "holds" : "fails"}</span>
              </span>
              <span className={cx(styles.where, "rigid muted num")}>line {line}</span>
              <span className="grow breaks">
                {name}
                {problem === null ? null : <span className="tone-error">: {problem}</span>}
              </span>
            </button>
            {problem === null || text === null ? null : <CodeBox label={`The program after ${name}`} text={text.trimEnd()} />}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
