/** The head of a table: the titles of its columns. `numbers`: all but the first hold numbers, and stand over them. */

import panel from "./panel.module.css";

export function TableHead({ columns, numbers = false }: { readonly columns: readonly string[]; readonly numbers?: boolean }) {
  return (
    <thead>
      <tr>
        {columns.map((title, i) => (
          // Two futures may have one title: a column is told by its place.
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
          <th key={i} scope="col" className={numbers && i > 0 ? panel.number : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
