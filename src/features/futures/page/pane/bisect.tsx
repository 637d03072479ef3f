/** Finds the first wrong rewrite, and shows it with both programs, the minimized input, and what each does on it. */

import { TextDiff } from "../../../../app/editor/text-diff.tsx";
import { loadIntoRun } from "../../../../app/inspectors/run/run-prefill.ts";
import { useActions, useEngineQuery, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectKernel } from "../../../../app/session/selectors.ts";
import { useResult, withProvenanceNow } from "../../../../app/session/use-result.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { DataTable } from "../../../../app/ui/data-table.tsx";
import { messageOf } from "../../../../app/ui/failure.ts";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { ExecReport, InputText } from "../../../../engine/api/types.ts";
import type { BisectReport, RewriteReport } from "../../engine/types.ts";
import shared from "../futures.module.css";
import { LIGHT_INPUTS } from "../lights.ts";
import { InputWords } from "./input-words.tsx";

type Found = BisectReport | { readonly error: string } | "busy" | null;

export function Bisect() {
  const session = useSessionObject();
  const [found, keep] = useResult<NonNullable<Found>>();
  const start = (scan: boolean): void => {
    const owned = withProvenanceNow(session);
    keep(owned("busy"));
    session.api.bisect(LIGHT_INPUTS, 1, scan).then(
      (report) => keep(owned(report ?? { error: "nothing has run yet" })),
      (error: unknown) => keep(owned({ error: messageOf(error) })),
    );
  };
  return (
    <>
      <Row wrap gap={2}>
        <Button variant="primary" disabled={found === "busy"} onClick={() => start(false)}>
          {found === "busy" ? "Searching…" : "Find the first wrong rewrite"}
        </Button>
      </Row>
      <p className="visually-hidden" role="status">
        {found === null || found === "busy" || "error" in found ? "" : saidOf(found)}
      </p>
      {found === null || found === "busy" ? null : "error" in found ? (
        <p role="alert">The search failed: {found.error}</p>
      ) : (
        <Wrong report={found} onScan={() => start(true)} />
      )}
    </>
  );
}

function saidOf({ first, undecided, looked, rewrites }: BisectReport): string {
  if (undecided !== null) return `Undecided: ${undecided}.`;
  if (first === null)
    return `No wrong rewrite: the final program is equivalent to the program as written. ${looked} of ${rewrites + 1} programs were checked.`;
  return `${first.address} is the first wrong rewrite, ${first.total} of ${rewrites}: ${first.sentence}`;
}

/** The verdict is scrolled into view when it arrives: a small pane has the button at its bottom. */
const bringUp = (verdict: HTMLElement | null): void => verdict?.scrollIntoView({ block: "start" });

function Wrong({ report, onScan }: { readonly report: BisectReport; readonly onScan: () => void }) {
  const { first, counterexample, undecided, rewrites, scanned, monotone } = report;
  if (undecided !== null) return <p ref={bringUp}>{saidOf(report)}</p>;
  if (first === null)
    return (
      <p ref={bringUp} data-testid="bisected">
        {saidOf(report)}{" "}
        {scanned ? null : (
          <Button variant="link" onClick={onScan}>
            Check every one
          </Button>
        )}
      </p>
    );
  return (
    <>
      <p ref={bringUp} className="breaks" data-testid="bisected">
        <Badge tone="error">{first.address}</Badge> is the first wrong rewrite, {first.total} of {rewrites}: {first.sentence}
      </p>
      <p className="breaks">
        {counterexample?.difference} <InputWords input={counterexample?.input ?? null} />
      </p>
      {monotone ? null : <p>Later programs are equivalent again: there is more than one wrong rewrite, or one hides another.</p>}
      {scanned || monotone ? null : (
        <Button variant="link" onClick={onScan}>
          Check every one
        </Button>
      )}
      <Sides first={first} input={counterexample?.input ?? null} />
    </>
  );
}

/** Both programs around the wrong rewrite, and what each does on the input that shows it. */
function Sides({ first, input }: { readonly first: NonNullable<BisectReport["first"]>; readonly input: InputText | null }) {
  const session = useSessionObject();
  const { position } = useActions();
  const kernel = useSession(selectKernel)?.name ?? null;
  const request = input === null ? null : { threads: input.threads, fuel: 100_000, args: input.args, mem: input.mem };
  const { data, error } = useEngineQuery(JSON.stringify(["rung", first.total, request]), (api) => api.rung(first.total, request), "run");
  const { step } = first;
  return (
    <>
      <Row wrap gap={2}>
        <Button onClick={() => position.goTo(first.run, step ?? "end")}>Go to the step</Button>
        {input === null || kernel === null ? null : (
          <Button onClick={() => loadIntoRun(session, kernel, input)} title={input.note ?? undefined}>
            Load the input into Run
          </Button>
        )}
      </Row>
      {input === null ? <p>The verifier rejects the program after it, so the two were not run.</p> : null}
      {error === null ? null : <p role="alert">Both programs could not be shown: {error}</p>}
      {data === null ? null : (
        <>
          <p>Before and after the rewrite:</p>
          <Stack className={shared.diff}>
            <TextDiff left={data.before} right={data.after} />
          </Stack>
          {data.runs === null ? null : <Runs runs={data.runs} />}
        </>
      )}
    </>
  );
}

type Outcome = readonly [title: string, before: string, after: string];

function Runs({ runs: { before, after } }: { readonly runs: NonNullable<RewriteReport["runs"]> }) {
  const returned = [before, after].some(({ returns }) => returns.some(hasValues));
  const rows: readonly Outcome[] = [
    ["Ends", sayEnd(before), sayEnd(after)],
    ...Object.keys(before.memory).map((name): Outcome => [`Memory of ${name}`, before.memory[name] ?? "", after.memory[name] ?? ""]),
    // A kernel returns nothing.
    ...(returned ? [["Returns", sayReturns(before), sayReturns(after)] as const] : []),
    ["Warp instructions", String(before.counters.warpInstructions), String(after.counters.warpInstructions)],
    ["Divergent branches", String(before.counters.divergentBranches), String(after.counters.divergentBranches)],
  ];
  return (
    <DataTable
      testId="two-runs"
      caption="Both programs on that input"
      rows={rows}
      rowKey={([title]) => title}
      marks={([, a, b]) => ({ changed: a !== b })}
      columns={[
        { title: "Outcome", head: true, cell: ([title]) => title },
        // Memory is one long word: without a break one column would leave no room for the other.
        { title: "Before", mono: true, breaks: true, cell: ([, a, b]) => cut(a, cutFrom(a, b)) },
        { title: "After", mono: true, cell: ([, a, b]) => cut(b, cutFrom(a, b)) },
      ]}
    />
  );
}

type Returned = ExecReport["returns"][number];

const hasValues = (returned: Returned): boolean => Object.keys(returned).length > 0;
const sayValues = (returned: Returned): string =>
  hasValues(returned)
    ? Object.entries(returned)
        .map(([name, value]) => `${name} = ${value}`)
        .join(", ")
    : "nothing";

/** What each thread returned. */
function sayReturns({ returns }: ExecReport): string {
  const [only] = returns;
  if (only !== undefined && returns.length === 1) return sayValues(only);
  return returns.map((returned, thread) => `thread ${thread}: ${sayValues(returned)}`).join("; ");
}

const sayEnd = (report: ExecReport): string => (report.status === "ok" ? "normally" : report.message);

const MOST_SHOWN = 80;
const cut = (text: string, from: number): string =>
  `${from > 0 ? "…" : ""}${text.slice(from, from + MOST_SHOWN)}${text.length > from + MOST_SHOWN ? "…" : ""}`;

/** Where the excerpt of both begins: at the start, or so that the first difference is visible. Even, because memory has two digits per byte. */
function cutFrom(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a === b || same < MOST_SHOWN ? 0 : (same - MOST_SHOWN / 4) & ~1;
}
