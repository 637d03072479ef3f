/** Value numbers as classes: everything that has one number, with its leader first. */

import { useActions } from "../../../session/hooks.ts";
import type { CellValue } from "../../../session/moment.ts";
import { Row } from "../../../ui/layout.tsx";
import { ValueNumber } from "../../shared/value-number.tsx";
import { type CellObject, numberOf, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import { records, view } from "../table.tsx";

interface Member {
  readonly key: string;
  readonly reg: string;
  readonly block: string;
}

interface ValueClass {
  readonly key: string;
  readonly number: number;
  readonly expression: string;
  readonly memory: string;
  readonly members: readonly Member[];
}

/** What is computed more than once comes first. */
function classesOf(cells: ReadonlyMap<string, CellValue>): readonly ValueClass[] {
  const classes = new Map<number, ValueClass & { readonly members: Member[] }>();
  for (const { key, cell } of records<CellObject>(cells)) {
    const number = numberOf(cell.number);
    const { expression = "", memory = "" } = cell;
    const known = classes.get(number) ?? {
      key: String(number),
      number,
      expression: showCell(expression),
      memory: showCell(memory),
      members: [],
    };
    known.members.push({ key, reg: showCell(cell.reg), block: showCell(cell.block) });
    classes.set(number, known);
  }
  return [...classes.values()].sort((a, b) => b.members.length - a.members.length || a.number - b.number);
}

function Members({ of }: { readonly of: readonly Member[] }) {
  const { selection } = useActions();
  return (
    <Row wrap gap={1} className="mono">
      {of.map(({ key, reg, block }) => (
        <button key={key} type="button" className={structures.cell} onClick={() => selection.select({ kind: "inst", id: Number(key) })}>
          {reg} in {block}
        </button>
      ))}
    </Row>
  );
}

export const ValueClassesView = view(classesOf, {
  most: 400,
  more: "numbers",
  cells: ({ members }) => members.map(({ key }) => key),
  columns: [
    {
      title: "Number",
      head: true,
      mono: true,
      cell: ({ number }) => <ValueNumber of={number} />,
    },
    {
      title: "Expression",
      cell: ({ expression, memory }) => (
        <>
          <code>{expression}</code> <span className="muted">{memory}</span>
        </>
      ),
    },
    { title: "Held by, leader first", cell: ({ members }) => <Members of={members} /> },
  ],
});
