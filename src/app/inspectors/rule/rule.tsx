/** The rule of the current step: what it says and asks, and the code that carries it out, at the place the step came from. */

import { useEffect, useRef, useState } from "react";
import { loadMonaco } from "../../editor/load-monaco.ts";
import type { CodeView } from "../../editor/monaco/code-view.ts";
import { plainName } from "../../names/phases.ts";
import { helpOf, openHelp } from "../../session/help.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { readLine } from "../../session/position/folds.ts";
import { selectPhase, selectTrace } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Stack, Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./rule.module.css";
import { placesOf, type RuleOfStep, type RulePlace } from "./rule-of-step.ts";
import { type Loaded, useRule, useRuleSources } from "./use-rule.ts";

export function RuleInspector() {
  const found = useRule();
  const phase = useSession(selectPhase);
  const sources = useRuleSources(found?.rule.family ?? null);
  if (found === null) {
    return (
      <EmptyState title="This step does not come from a rule.">
        Go to a step that {phase === null ? "a phase" : plainName(phase)} reports to see its rule here, with the code that carries it out.
      </EmptyState>
    );
  }
  return (
    <Stack grow>
      <About found={found} />
      <Code key={found.rule.family} found={found} sources={sources} />
    </Stack>
  );
}

const STOP = { tabIndex: 0 } as const;

/** Pseudocode, what may be said at it, and under which conditions nothing is done. */
function About({ found: { rule, reason, saying } }: { readonly found: RuleOfStep }) {
  const { text } = readLine(useSession((s) => selectTrace(s)?.pseudocode[rule.line - 1] ?? "").trim());
  const phase = useSession(selectPhase);
  const session = useSessionObject();
  return (
    // It scrolls: without a tab stop the keyboard could not.
    <section className={styles.about} aria-label="The rule" {...STOP}>
      <p>
        <code className="strong">{rule.name}</code> <span className="muted">line {rule.line}:</span> {text}{" "}
        {rule.policy === null ? null : <Badge tone="accent">{rule.policy === "notes" ? "reference only" : "measured only"}</Badge>}
      </p>
      <p className="muted">Reference: {rule.source ?? `page of ${phase?.name ?? rule.family}`}</p>
      {rule.sayings.length === 0 ? null : (
        <ul className={cx(styles.sayings, "breaks")} aria-label="Messages of this rule">
          {rule.sayings.map((each) => (
            <li key={`${each.verb} ${each.name} ${each.text}`} aria-current={each === saying ? "step" : undefined}>
              <span className="mono quiet">{each.name === "" ? each.verb : `${each.verb} ${each.name}`}</span> {each.text}
            </li>
          ))}
        </ul>
      )}
      {rule.reasons.length === 0 ? null : (
        <ul className={cx(styles.sayings, "breaks")} aria-label="Conditions: why a rewrite is refused">
          {rule.reasons.map((each) => (
            <li key={each.name} aria-current={each === reason ? "step" : undefined}>
              <button
                type="button"
                className={cx("mono quiet", styles.link)}
                data-handbook={`condition:${rule.family}:${each.name}`}
                title="Open its handbook page"
                disabled={helpOf(session) === null}
                onClick={() => openHelp(session, `condition:${rule.family}:${each.name}`)}
              >
                {each.condition === each.name ? each.name : `${each.name} (${each.condition})`}
              </button>{" "}
              {each.clause}
              {each.without === null ? null : <span className="muted"> · without it: {each.without}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Code({ found, sources }: { readonly found: RuleOfStep; readonly sources: Loaded }) {
  // The place that the reader chose, as long as the step's own rule and sentence stay.
  const said = `${found.rule.name}/${found.reason?.name ?? found.saying?.name ?? ""}/${found.saying?.verb ?? ""}`;
  const [chosen, setChosen] = useState<{ readonly said: string; readonly at: number } | null>(null);
  if (sources === "loading") return <p className="pad">Loading the code…</p>;
  if (sources === "failed")
    return <p className="pad">The code could not be loaded: this page's engine has different rules, or the file no longer exists.</p>;
  const places = placesOf(sources.rules[found.rule.name] ?? [], found);
  const at = chosen?.said === said && chosen.at < places.length ? chosen.at : 0;
  const place = places[at];
  if (place === undefined) return <p className="pad">No line of the code belongs to this rule alone.</p>;
  const pathOf = (p: RulePlace): string => `${sources.files[p.file]?.path.split("/").at(-1) ?? "?"}:${p.line}`;
  return (
    <>
      <Toolbar>
        <code className="breaks" data-testid="rule-place">
          {sources.files[place.file]?.path}:{place.line}
        </code>
        {places.length < 2 ? null : (
          <Select
            label="Place in the code"
            hideLabel
            value={String(at)}
            onChange={(value) => setChosen({ said, at: Number(value) })}
            options={places.map((p, i) => ({
              value: String(i),
              title: `${pathOf(p)} ${p.verb === "table" ? "entry in the table of rules" : p.verb}`,
            }))}
          />
        )}
      </Toolbar>
      <CodePane
        text={sources.files[place.file]?.text ?? ""}
        line={place.line}
        others={places.filter((p) => p.file === place.file).map((p) => p.line)}
      />
    </>
  );
}

function CodePane({ text, line, others }: { readonly text: string; readonly line: number; readonly others: readonly number[] }) {
  const session = useSessionObject();
  const theme = useSession((s) => s.theme.resolved);
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<CodeView | "plain" | null>(null);
  useEffect(() => {
    let made: CodeView | null = null;
    let gone = false;
    loadMonaco().then(
      (monaco) => {
        if (gone || host.current === null) return;
        made = monaco.mountCodeView(host.current, "Code of the rule", session.store.getState().theme.resolved);
        setView(made);
      },
      () => setView("plain"),
    );
    return () => {
      gone = true;
      made?.dispose();
    };
  }, [session]);
  const marked = others.join(" ");
  useEffect(() => {
    if (view !== null && view !== "plain") view.show(text, line, marked === "" ? [] : marked.split(" ").map(Number));
  }, [view, text, line, marked]);
  useEffect(() => {
    if (view !== null && view !== "plain") view.theme(theme);
  }, [view, theme]);
  if (view === "plain") return <PlainCode text={text} line={line} />;
  return <div ref={host} className={styles.code} data-testid="rule-code" />;
}

/** Where the editor could not be loaded. */
function PlainCode({ text, line }: { readonly text: string; readonly line: number }) {
  const here = useRef<HTMLElement>(null);
  useEffect(() => here.current?.scrollIntoView({ block: "center" }), []);
  const rows = text.split("\n");
  return (
    <pre className={cx(styles.code, styles.plain, "mono")} data-testid="rule-code">
      {rows.slice(0, line - 1).join("\n")}
      {"\n"}
      <mark ref={here}>{rows[line - 1]}</mark>
      {"\n"}
      {rows.slice(line).join("\n")}
    </pre>
  );
}
