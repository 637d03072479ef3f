/** Two futures: the phases where they differ, the figures of their ends on the same inputs, and their texts. */

import { useState } from "react";
import type { ComparedPhase, FutureComparison, FutureSide } from "../../../engine/api/types.ts";
import { TextDiff } from "../../editor/text-diff.tsx";
import panel from "../../inspectors/shared/panel.module.css";
import { TableHead } from "../../inspectors/shared/table-head.tsx";
import { plainName } from "../../names/phases.ts";
import { useEngineQuery, useSession, useSessionObject } from "../../session/hooks.ts";
import { selectKernel } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { plural } from "../../ui/plural.ts";
import { Select } from "../../ui/select.tsx";
import shared from "../futures.module.css";
import { futuresView } from "../futures-view.ts";
import { compareInGraph } from "../mark-difference.ts";
import { futureOf, ROOT, titleOf } from "../tree.ts";
import { namedFutures, optionsOf, useFuturesView, useTree } from "../use-futures.ts";
import styles from "./compare.module.css";

export function Compare() {
  const session = useSessionObject();
  const tree = useTree();
  const exists = (id: number): boolean => id === ROOT || futureOf(tree, id) !== null;
  const wanted = useFuturesView((v) => v.left);
  const left = exists(wanted) ? wanted : ROOT;
  const other = useFuturesView((v) => v.right);
  const right = exists(other) && other !== left ? other : (tree.list.find((f) => f.id !== left)?.id ?? ROOT);
  const kernel = useSession(selectKernel)?.name ?? null;
  const pipeline = useSession((s) => s.options.pipeline);
  const state = session.store.getState();
  const [a, b] = [optionsOf(state, left), optionsOf(state, right)];
  const key = kernel === null || left === right ? null : JSON.stringify([kernel, pipeline, a.interventions, b.interventions]);
  const { data, fresh, error } = useEngineQuery(key, (api) => api.compareFutures(kernel ?? "", a, b));
  const [leftTitle, rightTitle] = [titleOf(tree, left), titleOf(tree, right)];
  const answer = data === null || typeof data === "string" ? "" : saidOf(data, leftTitle, rightTitle);
  const names = namedFutures(tree).map(({ id, title }) => ({ value: String(id), title }));
  if (tree.list.length === 0)
    return (
      <p className="muted">There is only one future so far. Press X at a rewrite to make another one without it, then compare the two.</p>
    );
  return (
    <>
      <p className={shared.said} role="status" data-testid="futures-verdict">
        {error === null && !fresh ? "Running both…" : answer}
      </p>
      <div className={shared.row}>
        <Select
          label="Left"
          value={String(left)}
          options={names.filter((n) => n.value !== String(right))}
          onChange={(value) => futuresView.setState({ left: Number(value), right })}
        />
        <Select
          label="Right"
          value={String(right)}
          options={names.filter((n) => n.value !== String(left))}
          onChange={(value) => futuresView.setState({ left, right: Number(value) })}
        />
        <Button onClick={() => futuresView.setState({ left: right, right: left })}>Swap</Button>
      </div>
      {error === null ? null : <p role="alert">The futures could not be compared: {error}</p>}
      {data === null || !fresh ? null : typeof data === "string" ? (
        <p role="alert">There is nothing to compare: {data}</p>
      ) : (
        <Compared comparison={data} left={left} right={right} kernel={kernel ?? ""} />
      )}
    </>
  );
}

interface ComparedProps {
  readonly comparison: FutureComparison;
  readonly left: number;
  readonly right: number;
  readonly kernel: string;
}

function Compared({ comparison, left, right, kernel }: ComparedProps) {
  const session = useSessionObject();
  const tree = useTree();
  const { phases, a, b, counted, inputs } = comparison;
  const shown = phases.filter((p) => p.a?.ran === true || p.b?.ran === true);
  const parting = shown.filter(isParting);
  const [leftTitle, rightTitle] = [titleOf(tree, left), titleOf(tree, right)];
  return (
    <>
      <div className={styles.mini} role="img" aria-label={`Phases after which the programs differ: ${listOf(shown)}`}>
        {shown.map((p) => (
          <span
            key={p.address}
            className={cx(
              styles.miniCell,
              (p.a?.rewrites ?? 0) + (p.b?.rewrites ?? 0) > 0 && styles.miniChanged,
              p.differs && styles.miniDiffers,
            )}
            title={`${plainName(p)}: ${p.differs ? "the programs differ after it" : "the same program after it"}`}
          />
        ))}
      </div>
      {parting.length === 0 ? (
        <p data-testid="futures-same">Both do the same in every phase.</p>
      ) : (
        <div className={panel.scroll} style={{ flex: "none", maxHeight: 220 }}>
          <table className={cx(panel.table, styles.phases)}>
            <caption>Phases that act differently, or where the programs start or stop differing</caption>
            <TableHead columns={["Phase", leftTitle, rightTitle, "After it"]} />
            <tbody>
              {parting.map((p) => (
                <tr key={p.address}>
                  <th scope="row">
                    <Button
                      variant="link"
                      onClick={() => session.actions.position.goToPhase(p.id, "end")}
                      title={`${plainName(p)}: go to this phase in the open future`}
                    >
                      {p.address} {plainName(p)}
                    </Button>
                  </th>
                  <td>{sayRun(p.a)}</td>
                  <td>{sayRun(p.b)}</td>
                  <td>{p.differs ? "differ" : "same"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Figures a={a} b={b} left={leftTitle} right={rightTitle} counted={counted} inputs={inputs} />
      <Meaning title={leftTitle} side={a} />
      <Meaning title={rightTitle} side={b} />
      <Texts comparison={comparison} left={left} right={right} kernel={kernel} />
      <div className={shared.row}>
        <Button onClick={() => compareInGraph(session, left, right)}>Mark the difference in the graph</Button>
      </div>
    </>
  );
}

const isParting = (p: ComparedPhase, i: number, all: readonly ComparedPhase[]): boolean =>
  p.differs !== (all[i - 1]?.differs ?? false) || p.a === null || p.b === null || p.a.ran !== p.b.ran || p.a.rewrites !== p.b.rewrites;

/** The verdict, in a line. */
function saidOf({ phases, a, b }: FutureComparison, left: string, right: string): string {
  const differ = phases.filter((p) => p.differs).length;
  if (differ === 0) return "The programs are the same after every phase.";
  const wrong = [a.meaning.colour === "red" ? left : null, b.meaning.colour === "red" ? right : null].filter((title) => title !== null);
  const meaning = wrong.length === 0 ? "" : `, and ${wrong.map((title) => `'${title}'`).join(" and ")} changes the program's meaning`;
  const more = (b.executed?.warpInstructions ?? 0) - (a.executed?.warpInstructions ?? 0);
  const cost =
    a.executed === null || b.executed === null || more === 0
      ? ""
      : ` '${right}' executes ${plural(Math.abs(more), more > 0 ? "more warp instruction" : "fewer warp instruction")} than '${left}'.`;
  return `The programs differ after ${plural(differ, "phase")}${meaning}.${cost}`;
}

function listOf(phases: readonly ComparedPhase[]): string {
  const names = phases.filter((p) => p.differs).map(plainName);
  return names.length === 0 ? "none" : names.join(", ");
}

function sayRun(run: ComparedPhase["a"]): string {
  if (run === null) return "not in this run";
  return run.ran ? `${plural(run.rewrites, "rewrite")}, ${plural(run.instructions, "instruction")}` : "did not run";
}

const SIZES = [
  ["blocks", "Blocks"],
  ["instructions", "Instructions"],
  ["branches", "Branches"],
  ["registers", "Registers"],
] as const;
const EXECUTED = [
  ["warpInstructions", "Warp instructions executed"],
  ["divergentBranches", "Divergent branches"],
  ["loads", "Loads"],
  ["stores", "Stores"],
] as const;

function Figures(props: {
  readonly a: FutureSide;
  readonly b: FutureSide;
  readonly left: string;
  readonly right: string;
  readonly counted: number;
  readonly inputs: number;
}) {
  const { a, b, left, right, counted, inputs } = props;
  const line = (title: string, x: number, y: number) => (
    <tr key={title}>
      <th scope="row">{title}</th>
      <td className={panel.number}>{x.toLocaleString("en")}</td>
      <td className={panel.number}>{y.toLocaleString("en")}</td>
      <td className={panel.number}>{x === y ? "same" : signed(y - x)}</td>
    </tr>
  );
  return (
    <table className={panel.table} data-testid="future-figures">
      <caption>
        Final programs{counted > 0 ? `; executed on the same ${plural(counted, "input")} of ${inputs}` : "; both end normally on no input"}
      </caption>
      <TableHead columns={["Figure", left, right, "Difference"]} numbers />
      <tbody>
        {SIZES.map(([field, title]) => line(title, a.size[field], b.size[field]))}
        {a.executed === null || b.executed === null
          ? null
          : EXECUTED.map(([field, title]) => line(title, a.executed?.[field] ?? 0, b.executed?.[field] ?? 0))}
      </tbody>
    </table>
  );
}

const signed = (n: number): string => (n > 0 ? `+${n.toLocaleString("en")}` : `−${Math.abs(n).toLocaleString("en")}`);

const MEANINGS = {
  green: { tone: "ok", word: "same meaning" },
  red: { tone: "error", word: "different meaning" },
  grey: { tone: "plain", word: "undecided" },
} as const;

function Meaning({ title, side }: { readonly title: string; readonly side: FutureSide }) {
  const { tone, word } = MEANINGS[side.meaning.colour];
  return (
    <p className={shared.said}>
      <strong>{title}</strong> <Badge tone={tone}>{word}</Badge> {side.meaning.reason}
    </p>
  );
}

/** The programs after a phase, or at the ends, line by line. */
function Texts({ comparison, left, right, kernel }: ComparedProps) {
  const session = useSessionObject();
  const [at, setAt] = useState("end");
  const parted = comparison.phases.filter((p) => p.differs && p.a !== null && p.b !== null && (p.a.rewrites > 0 || p.b.rewrites > 0));
  const phase = parted.find((p) => p.address === at) ?? null;
  const state = session.store.getState();
  const [a, b] = [optionsOf(state, left), optionsOf(state, right)];
  const key = JSON.stringify(["texts", kernel, a, b, phase?.address ?? "end"]);
  const { data, fresh } = useEngineQuery(key, async (api) => {
    const [l, r] = await Promise.all([api.futureText(kernel, a, phase?.a?.run ?? null), api.futureText(kernel, b, phase?.b?.run ?? null)]);
    return { l, r };
  });
  return (
    <>
      <Select
        label="Programs after"
        value={phase === null ? "end" : at}
        options={[
          { value: "end", title: "all phases" },
          ...parted.map((p) => ({ value: p.address, title: `${p.address} ${plainName(p)}` })),
        ]}
        onChange={setAt}
      />
      {data !== null && fresh && data.l === data.r ? (
        <p data-testid="same-texts">The programs are the same.</p>
      ) : (
        <div className={shared.diff}>
          <TextDiff left={data?.l ?? ""} right={data?.r ?? ""} />
        </div>
      )}
    </>
  );
}
