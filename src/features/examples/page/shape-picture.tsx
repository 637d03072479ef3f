/** A small picture of a program's control flow, drawn when its card scrolls into view. */

import { useEffect, useRef, useState } from "react";
import type { ExampleProgram } from "../../../app/session/example.ts";
import styles from "./gallery.module.css";
import { type Shape, shapeOf } from "./shape.ts";

const [WIDTH, HEIGHT] = [10, 5];
const [COLUMN, ROW] = [15, 11];
/** For lines at the sides. */
const MARGIN = 7;

export function ShapePicture({ example }: { readonly example: ExampleProgram }) {
  const box = useRef<HTMLSpanElement>(null);
  const [shape, setShape] = useState<Shape | null>(null);
  useEffect(() => {
    if (box.current === null) return;
    let shown = true;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      // A text that cannot be loaded has no picture; opening it shows why.
      example.load().then(
        (text) => shown && setShape(shapeOf(text, example.kernel)),
        () => undefined,
      );
    });
    observer.observe(box.current);
    return () => {
      shown = false;
      observer.disconnect();
    };
  }, [example]);
  return (
    <span ref={box} className={styles.picture} aria-hidden="true">
      {shape === null ? null : <Picture shape={shape} />}
    </span>
  );
}

function Picture({ shape }: { readonly shape: Shape }) {
  const { width, height, lines, cards } = drawn(shape);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={lines} className={styles.lines} />
      <path d={cards} className={styles.blocks} />
    </svg>
  );
}

/** Rows by the longest path, in each row the order of the text. Edges past a row lead around its left, edges up around the right. */
function drawn({ blocks, edges }: Shape) {
  const row = new Array<number>(blocks).fill(0);
  const down = edges.filter(([from, to]) => from < to).sort(([a], [b]) => a - b);
  for (const [from, to] of down) row[to] = Math.max(row[to] ?? 0, (row[from] ?? 0) + 1);
  const rows = Math.max(...row) + 1;
  const wide = new Array<number>(rows).fill(0);
  const column = row.map((r) => {
    const before = wide[r] ?? 0;
    wide[r] = before + 1;
    return before;
  });
  const columns = Math.max(...wide);
  const left = (b: number): number => (column[b] ?? 0) * COLUMN + ((columns - (wide[row[b] ?? 0] ?? 0)) * COLUMN) / 2 + MARGIN;
  const top = (b: number): number => (row[b] ?? 0) * ROW + 3;
  const middle = (b: number): number => left(b) + WIDTH / 2;
  const cards = row.map((_, b) => `M${left(b)} ${top(b)}h${WIDTH}v${HEIGHT}h${-WIDTH}z`).join("");
  const lines = edges
    .map(([from, to]) => {
      const [y, end] = [top(from) + HEIGHT / 2, top(to) + HEIGHT / 2];
      if (from < to) {
        const past = (row[to] ?? 0) - (row[from] ?? 0) > 1 && left(from) === left(to);
        if (!past) return `M${middle(from)} ${top(from) + HEIGHT}L${middle(to)} ${top(to)}`;
        return `M${left(from)} ${y}C${left(from) - 8} ${y} ${left(to) - 8} ${end} ${left(to)} ${end}`;
      }
      const side = Math.max(left(from), left(to)) + WIDTH + 8;
      if (from === to) return `M${middle(from)} ${top(from) + HEIGHT}v3H${side - 4}V${top(from) - 3}H${middle(from)}v3`;
      return `M${left(from) + WIDTH} ${y}C${side} ${y} ${side} ${end} ${left(to) + WIDTH} ${end}`;
    })
    .join("");
  return { width: columns * COLUMN + 2 * MARGIN, height: rows * ROW, lines, cards };
}
