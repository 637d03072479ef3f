import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Column, DataTable } from "./data-table.tsx";

interface Fruit {
  readonly name: string;
  readonly count: number;
}

const COLUMNS: readonly Column<Fruit>[] = [
  { title: "Fruit", head: true, cell: ({ name }) => name },
  { title: "Count", align: "end", cell: ({ count }) => count },
];
const ROWS: readonly Fruit[] = [
  { name: "apple", count: 3 },
  { name: "pear", count: 1 },
  { name: "fig", count: 2 },
];
const keyOf = ({ name }: Fruit): string => name;

test("titles head their columns, and a column may head the rows", () => {
  const html = renderToStaticMarkup(<DataTable columns={COLUMNS} rows={ROWS} rowKey={keyOf} caption="In the bowl" />);
  expect(html).toContain("<caption>In the bowl</caption>");
  expect(html.match(/<th scope="col"/g)).toHaveLength(2);
  expect(html.match(/<th scope="row"[^>]*>(?:apple|pear|fig)<\/th>/g)).toHaveLength(3);
});

test("rows beyond the most are counted", () => {
  const html = renderToStaticMarkup(<DataTable columns={COLUMNS} rows={ROWS} rowKey={keyOf} most={1} more="fruits" />);
  expect(html.match(/scope="row"/g)).toHaveLength(1);
  expect(html).toContain("and 2 more fruits");
  expect(renderToStaticMarkup(<DataTable columns={COLUMNS} rows={ROWS} rowKey={keyOf} most={3} />)).not.toContain("more");
});

test("without rows it says so in place of the table; with nothing to say the titles stand alone", () => {
  const empty = renderToStaticMarkup(<DataTable columns={COLUMNS} rows={[]} rowKey={keyOf} empty="The bowl is empty." />);
  expect(empty).toMatch(/^<p[^>]*>The bowl is empty\.<\/p>$/);
  expect(renderToStaticMarkup(<DataTable columns={COLUMNS} rows={[]} rowKey={keyOf} />)).toContain("<table");
});

test("a row has its marks, also for a screen reader, and what is below it is as wide as the table", () => {
  const html = renderToStaticMarkup(
    <DataTable
      columns={COLUMNS}
      rows={ROWS}
      rowKey={keyOf}
      marks={({ name }) => ({ changed: name === "fig", current: name === "pear", handbook: `fruit:${name}` })}
      detail={({ count }) => (count === 1 ? "the last one" : null)}
    />,
  );
  expect(html.match(/aria-current="true"/g)).toHaveLength(1);
  expect(html).toMatch(/aria-current="true"[^>]*><th scope="row"[^>]*>pear/);
  expect(html).toMatch(/class="[^"]*changed[^"]*" data-handbook="fruit:fig"/);
  expect(html.match(/<td colSpan="2">the last one<\/td>/g)).toHaveLength(1);
});
