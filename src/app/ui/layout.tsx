/** Rows, stacks, panels and tool bars: for layout alone, no style sheet is needed. */

import type { CSSProperties, HTMLAttributes, Ref } from "react";
import { cx } from "./cx.ts";
import styles from "./layout.module.css";

/** A step of the scale of spaces (tokens.css). */
type Space = 0 | "hair" | 1 | 2 | 3 | 4 | 6;

interface BoxProps extends HTMLAttributes<HTMLElement> {
  readonly as?:
    | "div"
    | "span"
    | "p"
    | "section"
    | "header"
    | "footer"
    | "main"
    | "aside"
    | "figure"
    | "article"
    | "fieldset"
    | "details"
    | "search"
    | "nav"
    | "ul"
    | "ol"
    | "li"
    | "label"
    | "form"
    | "pre"
    | "dl"
    | "h3"
    | "h4";
  readonly ref?: Ref<HTMLElement & HTMLDivElement>;
  /** Of two the first is between rows, the second within them. */
  readonly gap?: Space | readonly [rows: Space, columns: Space];
  /** Space inside; of two the first is above and below, the second at the sides. */
  readonly pad?: Space | readonly [block: Space, inline: Space];
  readonly align?: "start" | "center" | "end" | "baseline" | "stretch";
  readonly justify?: "start" | "center" | "end" | "between";
  /** Takes the room that is left, and may be smaller than its content. */
  readonly grow?: boolean | undefined;
  /** Neither grows nor shrinks. */
  readonly rigid?: boolean;
  /** As high as what it is in. */
  readonly fill?: boolean;
  readonly scroll?: boolean;
}

const space = (of: Space): string => (of === 0 ? "0" : `var(--space-${of})`);
const spaceOf = (of: Space | readonly [Space, Space]): string => (typeof of === "object" ? of.map(space).join(" ") : space(of));

/** What is undefined is left to the sheets. */
const styleOf = ({ gap, pad, align, justify, style }: BoxProps): CSSProperties => ({
  gap: gap === undefined ? undefined : spaceOf(gap),
  padding: pad === undefined ? undefined : spaceOf(pad),
  alignItems: align,
  justifyContent: justify === "between" ? "space-between" : justify,
  ...style,
});

function Box({ own, ...props }: BoxProps & { readonly own: string | undefined }) {
  const {
    as: Tag = "div",
    gap: _gap,
    pad: _pad,
    style: _style,
    align: _align,
    justify: _justify,
    grow,
    rigid,
    fill,
    scroll,
    className,
    ref,
    ...rest
  } = props;
  return (
    <Tag
      {...rest}
      // A ref of the page's is to an element, whichever it is.
      ref={ref as Ref<never>}
      className={cx(
        own,
        grow === true && "grow",
        rigid === true && "rigid",
        fill === true && styles.fill,
        scroll === true && styles.scroll,
        className,
      )}
      style={styleOf(props)}
    />
  );
}

/** Side by side, in the middle of the row. `wrap`: in several rows where there is no room. */
export function Row({ wrap = false, ...props }: BoxProps & { readonly wrap?: boolean }) {
  return <Box {...props} own={cx(styles.row, wrap && styles.wrap)} />;
}

/** Below one another. */
export function Stack(props: BoxProps) {
  return <Box {...props} own={styles.stack} />;
}

/** The body of a pane: takes the room that is left, and scrolls. */
export function Panel(props: BoxProps) {
  return <Box {...props} own="grow" scroll />;
}

/** The bar over a pane's body. `raised`: of the page's frame, over a picture. */
export function Toolbar({ raised = false, ...props }: BoxProps & { readonly raised?: boolean }) {
  return <Box {...props} own={cx(styles.toolbar, raised && styles.raised, "rigid line-below")} />;
}
