/** Tail merging: candidates with the factors of their hashes, a pair walked from its ends, the 63 reserved registers, live-ins of a new tail. */

import type { CandidateRow, HashFactor, ReservedRow, WalkRow } from "../../../../engine/passes/branch-folding/rows.ts";
import { useActions } from "../../../session/hooks.ts";
import type { CellValue } from "../../../session/moment.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { Row } from "../../../ui/layout.tsx";
import { numberOf, objectCell, showCell } from "../cells.ts";
import { type CellRow, keyColumn, Note, records, view } from "../table.tsx";
import type { StructureViewProps } from "../view.ts";

const MOST_ROWS = 300;

const PRIORITIES = ["jumps or ends", "falls through", "ends with a condition"];
const PRIORITY_NOTE = `Priority: ${PRIORITIES.map((words, n) => `${n} ${words}`).join(", ")}.`;

type Candidate = CellRow<CandidateRow>;

/** Sorted by hash, then priority, then layout place: the order in which pairs are tried. */
export function sortedCandidates(cells: ReadonlyMap<string, CellValue>): readonly Candidate[] {
  return records<CandidateRow>(cells).toSorted((a, b) => {
    for (const key of ["hash", "priority", "place"] as const) {
      const difference = numberOf(a.cell[key]) - numberOf(b.cell[key]);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** The candidate whose hash is explained: the selected one, else what the step is about, else the first. */
function shownOf({ structure, focused, selected }: StructureViewProps, rows: readonly Candidate[]): Candidate | undefined {
  return (
    rows.find(({ key }) => key === selected) ??
    rows.find(({ key }) => focused.has(key)) ??
    rows.find(({ key }) => structure.touched.has(key)) ??
    rows[0]
  );
}

export const CandidatesView = view(sortedCandidates, {
  caption: () => "Candidates, by hash, then priority",
  empty: "No candidate at this step.",
  most: MOST_ROWS,
  marks: (row, before) => ({ first: before?.cell.hash !== row.cell.hash }),
  columns: (props, rows) => {
    const sizes = new Map<number, number>();
    for (const { cell } of rows) sizes.set(numberOf(cell.hash), (sizes.get(numberOf(cell.hash)) ?? 0) + 1);
    return [
      {
        title: "Hash",
        mono: true,
        nowrap: true,
        cell: ({ cell: { hash } }) => {
          const size = sizes.get(numberOf(hash)) ?? 0;
          return (
            <>
              {showCell(hash)}
              {size > 1 ? <span className="muted"> ×{size}</span> : null}
            </>
          );
        },
      },
      {
        title: "Priority",
        tip: ({ cell }) => PRIORITIES[numberOf(cell.priority)],
        cell: ({ cell: { priority } }) => priority ?? "…",
      },
      keyColumn({ selected: shownOf(props, rows)?.key ?? null, onSelect: props.onSelect }, "Block"),
      { title: "Hashed", mono: true, cell: ({ cell: { last } }) => (last === null ? "none: terminators only" : showCell(last)) },
      { title: "Length", cell: ({ cell: { length } }) => showCell(length) },
    ];
  },
  below: (props, rows) => {
    const shown = shownOf(props, rows);
    return shown === undefined ? null : (
      <>
        <Note>{PRIORITY_NOTE}</Note>
        <Factors of={shown} />
      </>
    );
  },
});

/** `21 × 37 + 2 = 779`, one line a factor. */
function Factors({ of: { key, cell } }: { readonly of: Candidate }) {
  const factors: readonly HashFactor[] = cell.factors ?? [];
  if (factors.length === 0) return <Note>{key} contains only terminators: its hash is 0.</Note>;
  const rows = factors.map(([what, value, hash], i) => {
    const before = factors[i - 1]?.[2];
    if (before === undefined) return { what, value, hash, step: "initial value" };
    return { what, value, hash, step: `${before} × 37 + ${value}${before * 37 + value > 0xffff_ffff ? ", modulo 2³²" : ""}` };
  });
  return (
    <>
      <DataTable
        caption={
          <>
            Hash of {key}: <code>{showCell(cell.last)}</code>
          </>
        }
        rows={rows}
        rowKey={({ what }) => what}
        columns={[
          { title: "Factor", cell: ({ what }) => what },
          { title: "Value", mono: true, cell: ({ value }) => value },
          { title: "Step", mono: true, cell: ({ step }) => step },
          { title: "Hash", mono: true, cell: ({ hash }) => hash },
        ]}
      />
      <Note>
        An opcode counts as its index in the opcode table, a register as 8 × its number plus its class (R 0, RD 1, P 2, UR 3, UP 4, B 5), a
        32-bit literal as its bits, and an address or a special register as 0, so that the comparison decides.
      </Note>
    </>
  );
}

type Pair = Extract<WalkRow, { readonly length: number }>;
type Compared = Exclude<WalkRow, Pair>;

const pairOf = (cells: ReadonlyMap<string, CellValue>): Partial<Pair> => (objectCell(cells, "meta") as Partial<Pair> | null) ?? {};

function Inst({ id, text }: { readonly id: number | undefined; readonly text: string | undefined }) {
  const { selection } = useActions();
  return (
    <Button variant="link" onClick={() => selection.select({ kind: "inst", id: id ?? -1 })}>
      {text}
    </Button>
  );
}

/** Both blocks side by side, their ends at the bottom; the walk goes upwards. */
export const WalkView = view(
  (cells) =>
    records<Compared>(cells)
      .filter(({ key }) => key !== "meta")
      .sort((a, b) => Number(a.key) - Number(b.key))
      .slice(0, MOST_ROWS)
      .toReversed(),
  {
    caption: ({ cells }) => {
      const { a, b, length } = pairOf(cells);
      return `${showCell(a)} next to ${showCell(b)}, from their ends upwards: ${showCell(length)} in common`;
    },
    empty: "No pair is compared at this step.",
    columns: ({ structure: { cells } }) => {
      const side = (which: "a" | "b", i: 0 | 1): Column<CellRow<Compared>> => ({
        key: which,
        title: showCell(pairOf(cells)[which]),
        mono: true,
        cell: ({ cell }) => <Inst id={cell.insts?.[i]} text={cell[which]} />,
      });
      return [
        { title: "From the end", cell: ({ key }) => Number(key) + 1 },
        side("a", 0),
        side("b", 1),
        {
          title: "Verdict",
          cell: ({ cell: { why = null } }) =>
            why === null ? (
              <Badge tone="ok">identical</Badge>
            ) : (
              <>
                <Badge tone="warn">ends here</Badge> {why}
              </>
            ),
        },
      ];
    },
    below: ({ structure: { cells } }) => {
      const more = cells.size - 1 - MOST_ROWS;
      return more > 0 ? <Note>and {more} more above</Note> : null;
    },
  },
);

interface Group {
  /** What the registers hold. */
  readonly key: string;
  readonly ptx: string;
  readonly registers: readonly CellRow<ReservedRow>[];
}

function groupsOf(cells: ReadonlyMap<string, CellValue>): readonly Group[] {
  const groups = new Map<string, CellRow<ReservedRow>[]>();
  for (const row of records<ReservedRow>(cells)) {
    const title = showCell(row.cell.title);
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  return [...groups].map(([key, registers]) => ({ key, ptx: showCell(registers[0]?.cell.ptx), registers }));
}

/** The table of gate 3, a row a group; what is live into the current tail is marked. */
export const ReservedView = view(groupsOf, {
  caption: ({ cells }) => {
    const live = records<ReservedRow>(cells).find(({ cell }) => cell.live !== null)?.cell.live;
    const said = live === undefined ? "none is live into the current tail" : `live into the tail of ${live}, so gate 3 refuses`;
    return `The ${cells.size} reserved registers: ${said}`;
  },
  cells: () => [],
  columns: [
    {
      title: "What it contains",
      cell: ({ key, ptx }) => (
        <>
          {key} <code className="muted">{ptx}</code>
        </>
      ),
    },
    {
      title: "Registers",
      cell: ({ registers }) => (
        <Row wrap gap={2} className="small">
          {registers.map(({ key, cell: { live } }) =>
            live === null ? (
              <code key={key}>{key}</code>
            ) : (
              <Badge key={key} tone="warn">
                {key}: live
              </Badge>
            ),
          )}
        </Row>
      ),
    },
  ],
});

/** computeLiveIns. */
export const TailLiveInsView = view((cells) => [...cells.keys()].filter((key) => key !== "meta").map((key) => ({ key })), {
  caption: ({ cells }) => `computeLiveIns of ${showCell(objectCell(cells, "meta")?.tail)}: read in it before being written there`,
  empty: ({ cells }) => {
    const meta = objectCell(cells, "meta");
    return meta === null ? "No tail has been created yet." : `Nothing is live into ${showCell(meta.tail)}.`;
  },
  columns: [{ title: "Register", mono: true, cell: ({ key }) => key }],
});
