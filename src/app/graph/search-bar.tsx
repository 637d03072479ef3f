/** Finding in the graph: a field in the bar, the matches marked, Enter moves to the next one. */

import { useEffect, useMemo } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import type { MomentState } from "../session/moment.ts";
import { selectMoment } from "../session/selectors.ts";
import { IconButton } from "../ui/button.tsx";
import { Row } from "../ui/layout.tsx";
import { useFaceStore } from "./face/use-face.ts";
import styles from "./graph-pane.module.css";
import { setSearch } from "./graph-view.ts";
import type { Drawing } from "./model/drawing.ts";
import type { Camera } from "./use-camera.ts";
import { subjectBox } from "./use-follow.ts";

export interface Search {
  readonly matches: readonly SearchMatch[];
  readonly index: number;
  /** To the next match, or the one before. */
  go(by: 1 | -1): void;
  close(): void;
}

const NONE: readonly SearchMatch[] = [];

export function useSearch(drawing: Drawing | null, camera: Camera): Search {
  const { open, query, index } = useSession((s) => s.graph.search);
  // Closed, the search reads nothing: then it renders with no step.
  const moment = useSession((s) => (open ? selectMoment(s) : null));
  const faces = useFaceStore();
  const session = useSessionObject();
  const { selection } = session.actions;
  const matches = useMemo(() => (moment === null ? NONE : searchGraph(moment, query)), [moment, query]);
  const at = matches.length === 0 ? 0 : Math.min(index, matches.length - 1);
  const current = matches[at] ?? null;
  useEffect(() => {
    faces.update({ matches: new Set(matches.map((m) => m.block)), match: current?.block ?? null });
  }, [faces, matches, current]);
  const block = current?.block ?? null;
  const inst = current?.inst ?? null;
  // Only a new match moves the view, not a new step.
  useEffect(() => {
    if (drawing === null || block === null) return;
    const { moment } = faces.store.getState().inputs;
    const box = subjectBox(drawing, moment, inst === null ? { kind: "block", id: block } : { kind: "inst", id: inst });
    if (box !== null && !camera.sees(box)) camera.centre(box, drawing);
  }, [drawing, faces, camera, block, inst]);
  return {
    matches,
    index: at,
    go(by) {
      if (matches.length === 0) return;
      const next = (at + by + matches.length) % matches.length;
      setSearch(session, { index: next });
      const match = matches[next];
      if (match !== undefined)
        selection.select(match.inst === null ? { kind: "block", id: match.block } : { kind: "inst", id: match.inst });
    },
    close: () => setSearch(session, { open: false, query: "", index: 0 }),
  };
}

export function SearchBar({ search }: { readonly search: Search }) {
  const session = useSessionObject();
  const query = useSession((s) => s.graph.search.query);
  const { matches, index } = search;
  return (
    <Row as="search" gap="hair" className={styles.search}>
      <input
        type="text"
        className="input mono"
        aria-label="Find a block or an instruction"
        placeholder="label or instruction"
        // biome-ignore lint/a11y/noAutofocus: opened by a command, to type in it
        autoFocus
        spellCheck={false}
        value={query}
        onChange={(event) => setSearch(session, { query: event.target.value, index: 0 })}
        onKeyDown={(event) => {
          if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") search.close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="quiet small nowrap" aria-live="polite">
        {query.trim() === "" ? "" : matches.length === 0 ? "none" : `${index + 1} of ${matches.length}`}
      </span>
      <IconButton icon="previous" label="Previous match" onClick={() => search.go(-1)} />
      <IconButton icon="next" label="Next match" onClick={() => search.go(1)} />
      <IconButton icon="close" label="Close the search" onClick={search.close} />
    </Row>
  );
}

/** Finding blocks by label or by the text of their instructions. */
interface SearchMatch {
  readonly block: number;
  /** The instruction that matched, or null: the label did. */
  readonly inst: number | null;
}

/** Matches in layout order, labels before instructions within a block. Words are all to be found, in any order, in one line. */
export function searchGraph(moment: MomentState, query: string): readonly SearchMatch[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  if (words.length === 0) return [];
  const matches: SearchMatch[] = [];
  for (const id of moment.layout) {
    const block = moment.blocks.get(id);
    if (block === undefined) continue;
    const label = block.label.toLowerCase();
    if (words.every((w) => label.includes(w))) matches.push({ block: id, inst: null });
    for (const inst of block.insts) {
      const text = inst.text.toLowerCase();
      if (words.every((w) => text.includes(w))) matches.push({ block: id, inst: inst.id });
    }
  }
  return matches;
}
