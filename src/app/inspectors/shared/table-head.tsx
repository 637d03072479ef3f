/** The head of a table: the titles of its columns. */

export function TableHead({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((title, i) => (
          // Two futures may have one title: a column is told by its place.
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
          <th key={i} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
