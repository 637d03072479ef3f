/** All blocks of the state, found by name or text: click one to go there. Shown next to the map, for graphs that do not fit. */

import { memo, useDeferredValue, useId, useMemo, useState } from "react";
import type { BlockView } from "../../engine/api/types.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { cx } from "../ui/cx.ts";
import { Panel, Row, Stack } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import { selectedBlock } from "./commands.ts";
import { graphOf } from "./controller.ts";

/** Limit on the rows shown: more are found by the search. */
const MOST = 200;

export const BlockList = memo(function BlockList() {
  const blocks = useSession((s) => s.position.moment?.blocks ?? null);
  const layout = useSession((s) => s.position.moment?.layout ?? null);
  const selected = useSession(selectedBlock);
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query);
  const session = useSessionObject();
  const { selection } = session.actions;
  const id = useId();
  const found = useMemo(() => findBlocks(blocks, layout, wanted), [blocks, layout, wanted]);
  return (
    <Stack as="section" grow aria-label="Blocks">
      <label htmlFor={id} className="visually-hidden">
        Find a block
      </label>
      <input
        id={id}
        className="input"
        type="search"
        placeholder="Find a block"
        value={query}
        spellCheck={false}
        onChange={(event) => setQuery(event.target.value)}
      />
      <Panel as="ul">
        {found.slice(0, MOST).map((block) => (
          <li key={block.id}>
            <button
              type="button"
              className={cx("line-button mono", block.id === selected && "is-selected")}
              aria-current={block.id === selected ? "true" : undefined}
              onClick={() => {
                selection.select({ kind: "block", id: block.id });
                graphOf(session)?.reveal(block.id, true);
              }}
            >
              <span className="ellipsis grow">{block.label}</span>
              <span className="muted">{block.insts.length}</span>
            </button>
          </li>
        ))}
      </Panel>
      <Row as="p" pad={[1, 2]} rigid className="small quiet">
        {found.length > MOST ? `The first ${MOST} of ${plural(found.length, "block")}: search for others.` : plural(found.length, "block")}
      </Row>
    </Stack>
  );
});

/** In layout order: blocks whose label, or one of whose instructions, contains the text. */
export function findBlocks(
  blocks: ReadonlyMap<number, BlockView> | null,
  layout: readonly number[] | null,
  query: string,
): readonly BlockView[] {
  const all = (layout ?? []).flatMap((id) => blocks?.get(id) ?? []);
  const text = query.trim().toLowerCase();
  if (text === "") return all;
  const byLabel = all.filter((b) => b.label.toLowerCase().includes(text));
  const named = new Set(byLabel);
  return [...byLabel, ...all.filter((b) => !named.has(b) && b.insts.some((i) => i.text.toLowerCase().includes(text)))];
}
