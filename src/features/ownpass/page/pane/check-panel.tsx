/** Check: the laws on the open program, the examples and random programs; what was found, the first failure minimized. */

import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { download, safeName } from "../../../../app/share/download.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { DataTable } from "../../../../app/ui/data-table.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { CheckFailure, CheckReport } from "../../engine/check/check.ts";
import type { AnalysisChecked, Checked } from "../../engine/check/check-bench.ts";
import type { Found } from "../check/check-state.ts";
import { openFailure } from "../check/open-failure.ts";
import { runCheck } from "../check/run-check.ts";
import { CheckForm } from "./check-form.tsx";
import { CodeBox } from "./code-box.tsx";

export function CheckPanel({ source }: { readonly source: string }) {
  const session = useSessionObject();
  const found = useSession((s) => s.passCheck.checked);
  return (
    <Stack fill scroll>
      <Stack gap={2} pad={[2, 3]}>
        <CheckForm kind="check" action="Check" onRun={() => void runCheck(session, source)} />
        {/* There before it has something to say, so that it is read out. */}
        <p className="visually-hidden" role="status">
          {found === null || found.answer.kind === "unusable" ? "" : `${standingOf(found.answer).word}: ${verdictOf(found.answer)}`}
        </p>
        {found === null ? (
          <p className="muted">
            Checks on each program that the pass ends, that its result is valid and has the same meaning on every input tried, and that it
            is deterministic. An analysis is compared with ours, block by block.
          </p>
        ) : (
          <>
            <Earlier found={found} source={source} />
            {found.answer.kind === "unusable" ? (
              <Unusable line={found.answer.line} message={found.answer.message} />
            ) : found.answer.kind === "analysis" ? (
              <AnalysisResult checked={found.answer} />
            ) : (
              <Result checked={found.answer} />
            )}
          </>
        )}
      </Stack>
    </Stack>
  );
}

/** Says where the result is not of the pass as it is, or not of the program that is open. */
export function Earlier({ found, source }: { readonly found: Found<unknown>; readonly source: string }) {
  const revision = useSession((s) => s.document.revision);
  if (found.source !== source) return <Badge tone="warn">for an earlier version of the text</Badge>;
  return found.revision === null || found.revision === revision ? null : (
    <Badge tone="warn">the program that is open now was not tried</Badge>
  );
}

export function Unusable({ line, message }: { readonly line: number; readonly message: string }) {
  const { ownpass } = useActions();
  return (
    <p role="alert" className="tone-error">
      {line > 0 ? (
        <Button variant="link" onClick={() => ownpass.reveal(line)}>
          line {line}: {message}
        </Button>
      ) : (
        message
      )}
    </p>
  );
}

function verdictOf(checked: Checked | AnalysisChecked): string {
  const { failures } = checked.report;
  const programs = checked.kind === "analysis" ? checked.figures.programs : checked.report.programs;
  if (failures.length > 0) return `${plural(failures.length, "failure")} in ${plural(programs, "program")}`;
  if (checked.kind !== "analysis") {
    const { untested } = checked.evidence;
    return untested === null ? `All ${programs} programs pass` : untested.reason;
  }
  if (programs === 0) return "there was no program to try it on";
  const { of } = checked.report;
  return of === null ? `Ends on all ${plural(programs, "program")}` : `Same as our ${of} on all ${plural(programs, "program")}`;
}

const STANDING = {
  held: { tone: "ok", word: "holds" },
  failed: { tone: "error", word: "wrong" },
  untested: { tone: "warn", word: "not tested" },
} as const;

function standingOf(checked: Checked | AnalysisChecked): (typeof STANDING)[keyof typeof STANDING] {
  if (checked.kind !== "analysis") return STANDING[checked.evidence.standing];
  if (checked.report.failures.length > 0) return STANDING.failed;
  return checked.figures.programs === 0 ? STANDING.untested : STANDING.held;
}

function Result({ checked }: { readonly checked: Checked }) {
  const { report, evidence: e, name, markdown, csv } = checked;
  const standing = standingOf(checked);
  const passing = e.equal + e.undecided > 0;
  const { failures, seed } = report;
  const [first, ...others] = failures;
  return (
    <>
      <p className="large strong" data-testid="check-verdict">
        <Badge tone={standing.tone}>{standing.word}</Badge> {verdictOf(checked)}
        {endOf(report)}; random programs from seed {seed}
      </p>
      {e.untested === null ? null : <p data-testid="check-looked">{e.untested.sentences.join(" ")}</p>}
      {first === undefined ? null : <First failure={first} name={name} />}
      {others.length === 0 ? null : <Others failures={others} name={name} />}
      <Figures
        of={[
          ["same meaning on every input tried", `${e.equal}, on ${plural(e.inputs, "input")}`],
          ["another meaning", e.different],
          ["undecided: no input lets the program end", e.undecided],
          ["failed in another way", e.failed],
          ["rewrites", `${e.rewrites} in ${plural(e.changed, "program")}`],
          passing && ["instructions in the programs that pass", `${e.size[0]} → ${e.size[1]}`],
          passing && ["executed warp instructions in those programs", `${e.executed[0]} → ${e.executed[1]}`],
          e.settled[1] > 0 && ["unchanged by a second run", `${e.settled[0]} of ${e.settled[1]}`],
        ]}
      />
      <Reports stem={`${safeName(name)}-check`} markdown={markdown} csv={csv} />
    </>
  );
}

function AnalysisResult({ checked }: { readonly checked: AnalysisChecked }) {
  const { report, figures: f, name, markdown, csv } = checked;
  const { failures, seed, of } = report;
  const [first, ...others] = failures;
  const standing = standingOf(checked);
  return (
    <>
      <p className="large strong" data-testid="check-verdict">
        <Badge tone={standing.tone}>{standing.word}</Badge> {verdictOf(checked)}
        {endOf(report)}; random programs from seed {seed}
      </p>
      {first === undefined ? null : <First failure={first} name={name} />}
      {others.length === 0 ? null : <Others failures={others} name={name} />}
      {of === null ? null : (
        <Figures
          of={[
            ["programs without a difference", `${f.agree} of ${f.programs}`],
            ["blocks without a difference", `${f.same} of ${f.blocks}`],
            ["right, of those wanted", `${f.right} of ${f.wanted}`],
            ["spurious", f.spurious],
            f.mark !== null && ["(right − spurious) / wanted", f.mark.toFixed(3)],
          ]}
        />
      )}
      <Reports stem={`${safeName(name)}-check`} markdown={markdown} csv={csv} />
    </>
  );
}

/** Why fewer programs were tried than asked for. */
function endOf({ cancelled, enough }: Pick<CheckReport, "cancelled" | "enough">): string {
  if (cancelled) return ", cancelled";
  return enough ? ", stopped there" : "";
}

type Figure = readonly [title: string, value: string | number];

/** Figures and their values; what does not apply is false. */
function Figures({ of }: { readonly of: readonly (Figure | false)[] }) {
  return (
    <DataTable
      fit
      untitled
      rows={of.filter((figure) => figure !== false)}
      rowKey={([title]) => title}
      columns={[
        { title: "Figure", head: true, cell: ([title]) => title },
        { title: "Value", align: "end", cell: ([, value]) => value },
      ]}
    />
  );
}

/** What a student hands in. */
export function Reports({ stem, markdown, csv }: { readonly stem: string; readonly markdown: string; readonly csv: string }) {
  return (
    <Row wrap gap={2}>
      <Button onClick={() => download(`${stem}.md`, markdown, "text/markdown")}>Save the report (Markdown)</Button>
      <Button onClick={() => download(`${stem}.csv`, csv, "text/csv")}>Save the figures (CSV)</Button>
    </Row>
  );
}

function First({ failure, name }: { readonly failure: CheckFailure; readonly name: string }) {
  const session = useSessionObject();
  const { ownpass } = useActions();
  const { name: of, law, message, rewrite, input, program, line } = failure;
  return (
    <>
      <h3 className="strong">
        {of}, {law}: {message}
      </h3>
      {rewrite === null ? null : (
        <p>
          First wrong rewrite, {rewrite.n} of {rewrite.of}: {rewrite.said}
        </p>
      )}
      {input === null ? null : <CodeBox label="The input" text={input} />}
      <CodeBox label="The program, minimized" text={program.trimEnd()} testId="failing-program" />
      <Row wrap gap={2}>
        <Button variant="primary" onClick={() => openFailure(session, failure, name)}>
          Open this program
        </Button>
        {line === 0 ? null : <Button onClick={() => ownpass.reveal(line)}>Go to line {line}</Button>}
      </Row>
    </>
  );
}

function Others({ failures, name }: { readonly failures: readonly CheckFailure[]; readonly name: string }) {
  const session = useSessionObject();
  return (
    <ul aria-label="Other failures">
      {failures.map((failure, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a given program may fail twice
        <Row as="li" wrap gap={2} key={i}>
          <Button variant="link" onClick={() => openFailure(session, failure, name)}>
            {failure.name}
          </Button>
          <span className="grow breaks">
            {failure.law}: {failure.message}
          </span>
        </Row>
      ))}
    </ul>
  );
}
