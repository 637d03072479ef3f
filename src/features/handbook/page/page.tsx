/** A page of the handbook. */

import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { DataTable } from "../../../app/ui/data-table.tsx";
import { Row } from "../../../app/ui/layout.tsx";
import { type Block, type Entry, type Inline, KIND_TITLES } from "./entry.ts";
import styles from "./handbook.module.css";

interface PageProps {
  readonly entry: Entry;
  /** Whether there is a page of this id. */
  readonly has: (id: string) => boolean;
  readonly onShow: (id: string) => void;
  readonly onExample: () => void;
  readonly onPhase: () => void;
}

export function Page({ entry, has, onShow, onExample, onPhase }: PageProps) {
  const { title, name, kind, id, body, example, phase } = entry;
  return (
    <article className={cx(styles.article, "large")} data-testid="handbook-page" data-page={id}>
      <p className="muted">
        {KIND_TITLES[kind]} · <code>{id}</code>
      </p>
      <h3>
        {title} {name === "" ? null : <span className={cx(styles.name, "muted")}>{name}</span>}
      </h3>
      <Row as="p" wrap gap={2}>
        {example === null ? null : <Button onClick={onExample}>{example.label}</Button>}
        {phase === null ? null : <Button onClick={onPhase}>Go to the phase in this program</Button>}
      </Row>
      {body().map((block, i) => (
        // Nothing is ever put between the blocks of a page.
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no other name
        <BlockView key={i} block={block} has={has} onShow={onShow} />
      ))}
    </article>
  );
}

type Links = Pick<PageProps, "has" | "onShow">;

function BlockView({ block, ...links }: { readonly block: Block } & Links) {
  switch (block.kind) {
    case "text":
      return (
        <p>
          <Line line={block.line} {...links} />
        </p>
      );
    case "heading":
      return <h4 className={styles.section}>{block.text}</h4>;
    case "list":
      return (
        <ul>
          {block.items.map((item) => (
            <li key={JSON.stringify(item)}>
              <Line line={item} {...links} />
            </li>
          ))}
        </ul>
      );
    case "pairs":
      return (
        <dl className={styles.pairs}>
          {block.rows.map(([what, line]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>
                <Line line={line} {...links} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case "table":
      return (
        <DataTable
          roomy
          rows={block.rows}
          rowKey={(row) => JSON.stringify(row)}
          columns={block.head.map((title, i) => ({
            title,
            nowrap: i === 0,
            cell: (row: (typeof block.rows)[number]) => <Line line={row[i] ?? []} {...links} />,
          }))}
        />
      );
    case "code":
      return (
        // Long lines scroll: without a tab stop the keyboard could not.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller
        <pre className="code-box" tabIndex={0}>
          {block.lines.map((line, i) => (block.numbered ? `${String(i + 1).padStart(3)}  ${line}` : line)).join("\n")}
        </pre>
      );
  }
}

function Line({ line, has, onShow }: { readonly line: readonly Inline[] } & Links) {
  return line.map((piece, i) => {
    const key = `${i} ${JSON.stringify(piece)}`;
    if (typeof piece === "string") return piece;
    if ("code" in piece) return <code key={key}>{piece.code}</code>;
    if (!has(piece.to)) return piece.text;
    return (
      <button key={key} type="button" className={cx(styles.link, "link-button")} data-to={piece.to} onClick={() => onShow(piece.to)}>
        {piece.text}
      </button>
    );
  });
}
