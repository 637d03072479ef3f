/** Two runs of a program: the phases where they differ, and the figures of both sides on the same inputs. */

import type { ComparedPhase, ComparedSide, RunComparison } from "../../engine/api/types.ts";
import { plainName } from "../names/phases.ts";
import { useSessionObject } from "../session/hooks.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Panel, Row } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import styles from "./compared.module.css";
import type { Side } from "./sides.ts";

interface ComparedProps {
  readonly comparison: RunComparison;
  readonly left: Side;
  readonly right: Side;
}

export function Compared({ comparison, left, right }: ComparedProps) {
  const { phases, a, b, counted, inputs } = comparison;
  return (
    <>
      <p role="status" data-testid="futures-verdict">
        {saidOf(comparison, left, right)}
      </p>
      {isOneRun(left, right) ? null : <Phases phases={phases} left={left.runTitle} right={right.runTitle} />}
      <Figures a={a} b={b} left={left.title} right={right.title} counted={counted} inputs={inputs} />
      <Meaning title={left.title} side={a} />
      <Meaning title={right.title} side={b} />
    </>
  );
}

/** Its phases are the same on both sides: only the places differ. */
const isOneRun = (left: Side, right: Side): boolean => JSON.stringify(left.pipeline) === JSON.stringify(right.pipeline);

interface PhasesProps {
  readonly phases: readonly ComparedPhase[];
  readonly left: string;
  readonly right: string;
}

/** Both runs from their first phase to their last, wherever the sides are in them. */
function Phases({ phases, left, right }: PhasesProps) {
  const session = useSessionObject();
  const shown = phases.filter((p) => p.a?.ran === true || p.b?.ran === true);
  const parting = shown.filter(isParting);
  return (
    <>
      <Row align="end" className={styles.mini} role="img" aria-label={`Phases after which the programs differ: ${listOf(shown)}`}>
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
      </Row>
      {parting.length === 0 ? (
        <p data-testid="futures-same">Both do the same in every phase.</p>
      ) : (
        <Panel>
          <DataTable
            caption="Phases that act differently, or where the programs start or stop differing"
            rows={parting}
            rowKey={({ address }) => address}
            columns={[
              {
                title: "Phase",
                head: true,
                cell: (p) => (
                  <Button
                    variant="link"
                    onClick={() => session.actions.position.goToPhase(p.id, "end")}
                    title={`${plainName(p)}: go to this phase in the open future`}
                  >
                    {p.address} {plainName(p)}
                  </Button>
                ),
              },
              { key: "a", title: left, cell: (p) => sayRun(p.a) },
              { key: "b", title: right, cell: (p) => sayRun(p.b) },
              { title: "After it", nowrap: true, cell: ({ differs }) => (differs ? "differ" : "same") },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

const isParting = (p: ComparedPhase, i: number, all: readonly ComparedPhase[]): boolean =>
  p.differs !== (all[i - 1]?.differs ?? false) || p.a === null || p.b === null || p.a.ran !== p.b.ran || p.a.rewrites !== p.b.rewrites;

/** The verdict, in one line. */
export function saidOf({ phases, a, b }: RunComparison, left: Side, right: Side): string {
  const more = (b.executed?.warpInstructions ?? 0) - (a.executed?.warpInstructions ?? 0);
  const cost =
    a.executed === null || b.executed === null || more === 0
      ? ""
      : ` '${right.title}' executes ${plural(Math.abs(more), more > 0 ? "more warp instruction" : "fewer warp instruction")} than '${left.title}'.`;
  if (isOneRun(left, right)) return `Both sides are the same run: its program at the two places is compared.${cost}`;
  const differ = phases.filter((p) => p.differs);
  const [first] = differ;
  if (first === undefined) return `The two runs have the same program after every phase.${cost}`;
  const wrong = [a.meaning.colour === "red" ? left : null, b.meaning.colour === "red" ? right : null].filter((side) => side !== null);
  const meaning = wrong.length === 0 ? "" : `, and ${wrong.map(({ title }) => `'${title}'`).join(" and ")} changes the program's meaning`;
  return `The programs differ after ${differ.length} of the ${plural(phases.length, "phase")}, from ${plainName(first)} on${meaning}.${cost}`;
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
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly left: string;
  readonly right: string;
  readonly counted: number;
  readonly inputs: number;
}) {
  const { a, b, left, right, counted, inputs } = props;
  const figures: readonly (readonly [title: string, left: number, right: number])[] = [
    ...SIZES.map(([field, title]) => [title, a.size[field], b.size[field]] as const),
    ...(a.executed === null || b.executed === null ? [] : EXECUTED).map(
      ([field, title]) => [title, a.executed?.[field] ?? 0, b.executed?.[field] ?? 0] as const,
    ),
  ];
  return (
    <DataTable
      testId="future-figures"
      caption={`The programs of both sides${counted > 0 ? `; executed on the same ${plural(counted, "input")} of ${inputs}` : "; both end normally on no input"}`}
      rows={figures}
      rowKey={([title]) => title}
      columns={[
        { title: "Figure", head: true, cell: ([title]) => title },
        { key: "a", title: left, align: "end", cell: ([, x]) => x.toLocaleString("en") },
        { key: "b", title: right, align: "end", cell: ([, , y]) => y.toLocaleString("en") },
        { title: "Difference", align: "end", cell: ([, x, y]) => (x === y ? "same" : signed(y - x)) },
      ]}
    />
  );
}

const signed = (n: number): string => (n > 0 ? `+${n.toLocaleString("en")}` : `−${Math.abs(n).toLocaleString("en")}`);

const MEANINGS = {
  green: { tone: "ok", word: "same meaning" },
  red: { tone: "error", word: "different meaning" },
  grey: { tone: "plain", word: "undecided" },
} as const;

function Meaning({ title, side }: { readonly title: string; readonly side: ComparedSide }) {
  const { tone, word } = MEANINGS[side.meaning.colour];
  return (
    <p className="breaks">
      <strong>{title}</strong> <Badge tone={tone}>{word}</Badge> {side.meaning.reason}
    </p>
  );
}
