/** The graph in words: a list nested by loops, for screen readers, the keyboard, and users who prefer to read. */

import { useMemo } from "react";
import { FLAG_BITS } from "../names/record-fields.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { NothingRan } from "../session/of-program.tsx";
import { selectGraph, selectMoment, selectSelected } from "../session/selectors.ts";
import { Badge } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";
import { Row, Stack } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import styles from "./outline.module.css";
import { outlineRows } from "./tree.ts";

/** Deeper rows are not moved further to the right: they would leave the pane. */
const DEEPEST = 16;

const NO_LOOPS: readonly never[] = [];

export function Outline() {
  const moment = useSession(selectMoment);
  const loops = useSession((s) => selectGraph(s)?.loops ?? NO_LOOPS);
  const selected = useSession(selectSelected);
  const { selection } = useActions();
  const rows = useMemo(() => (moment === null ? [] : outlineRows(moment, loops)), [moment, loops]);
  if (moment === null) return <NothingRan />;
  const label = (id: number) => moment.blocks.get(id)?.label ?? `#${id}`;
  const focus = new Set((moment.event?.focus.blocks ?? []).map(Number));
  const changed = new Set(moment.changed.blocks);
  const active = selected?.kind === "block" ? rows.findIndex((r) => r.block.id === selected.id) : -1;
  return (
    <Stack fill>
      <VirtualList
        label={`Outline of ${moment.name}: ${plural(rows.length, "block")}`}
        role="tree"
        count={rows.length}
        rowHeight={24}
        active={active}
        shown={rows.findIndex((r) => focus.has(r.block.id))}
        level={(index) => (rows[index]?.depth ?? 0) + 1}
        onActivate={(index) => {
          const row = rows[index];
          if (row !== undefined) selection.select({ kind: "block", id: row.block.id });
        }}
        row={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { block, depth, header } = row;
          const to = block.succs.map((s, i) => `${block.succKinds[i] ?? "jump"} → ${label(s)}`).join(", ");
          return (
            <Row
              align="baseline"
              gap={2}
              pad={["hair", 2]}
              className={cx(
                styles.row,
                "nowrap hovers",
                selected?.kind === "block" && selected.id === block.id && "is-selected",
                focus.has(block.id) && "is-current",
                changed.has(block.id) && styles.changed,
              )}
              style={{ paddingLeft: 8 + Math.min(depth, DEEPEST) * 18 }}
            >
              {depth > DEEPEST ? <span className="muted num">depth {depth}</span> : null}
              <span className="mono strong">{block.label}</span>
              <span className="muted num">
                rpo {block.rpo} · {block.insts.length} inst
              </span>
              {header ? <Badge tone="accent">loop header</Badge> : null}
              {FLAG_BITS.filter((bit) => (block.flags & bit.mask) !== 0).map((bit) => (
                <Badge key={bit.name}>{bit.name}</Badge>
              ))}
              {changed.has(block.id) ? <Badge tone="warn">changed</Badge> : null}
              <span className="ellipsis quiet">{to === "" ? "leaves" : to}</span>
            </Row>
          );
        }}
      />
    </Stack>
  );
}
