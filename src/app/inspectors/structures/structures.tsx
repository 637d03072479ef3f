/** The data structures of the open phase at this step, each drawn as what it is. */

import { type ComponentType, useMemo, useRef } from "react";
import type { StructureDelta, TracedStructure } from "../../../engine/api/types.ts";
import type { EventKind } from "../../../engine/trace/kinds.ts";
import { structureName } from "../../names/structures.ts";
import { helpOf, openHelp } from "../../session/help.ts";
import { useActions, useSession, useSessionObject } from "../../session/hooks.ts";
import type { MirroredStructure } from "../../session/moment.ts";
import { selectEvent, selectMoment, selectSelected } from "../../session/selectors.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Panel, Row, Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { BitRow, memberText } from "./bit-row.tsx";
import { numbered, numberOf, objectCell, showCell } from "./cells.ts";
import { HashView } from "./hash-view.tsx";
import { MatrixView, TableView, WorklistView } from "./list-view.tsx";
import { namedView } from "./named/named-views.ts";
import styles from "./structures.module.css";
import { TreeView } from "./tree-view.tsx";
import { cellClass, type StructureViewProps } from "./view.ts";

const VIEWS: Readonly<Record<StructureDelta["type"], ComponentType<StructureViewProps>>> = {
  "hash-map": HashView,
  "value-table": HashView,
  "rb-tree": TreeView,
  bitset: BitsetView,
  worklist: WorklistView,
  ring: WorklistView,
  matrix: MatrixView,
  table: TableView,
};

/** By name. */
type Mirrored = ReadonlyMap<string, MirroredStructure>;

const NO_KNOWN: readonly TracedStructure[] = [];
const NONE: Mirrored = new Map();

export function Structures() {
  const structures = useSession((s) => selectMoment(s)?.structures ?? NONE);
  const structure = useShown(structures);
  if (structure === null) {
    return (
      <>
        <EmptyState title="No structure has content yet at this step." />
        <Later structures={structures} />
      </>
    );
  }
  return (
    <>
      <StructureBar structure={structure} structures={structures} />
      <Later structures={structures} />
      {structure.touched.size === 0 ? null : (
        <Row as="p" gap={2} pad={["hair", 3]} className="quiet">
          <span className={cx(styles.swatch, "boxed is-changed")} aria-hidden="true" /> changed since the step shown before
        </Row>
      )}
      <Content structure={structure} />
    </>
  );
}

/** The chosen structure, or else the one that the step is about, the selected one, the one shown before, the first. */
function useShown(structures: Mirrored): MirroredStructure | null {
  const event = useSession(selectEvent);
  const selection = useSession(selectSelected);
  const picked = useSession((s) => s.view.structure);
  const last = useRef<string | null>(null);
  const follow = [
    followed(structures, event?.kind ?? null, structureOf(event?.focus.nodes?.[0])),
    structureOf(selection?.kind === "node" ? selection.name : undefined),
    last.current,
  ];
  const name = (picked === null ? follow : [picked]).find((n) => n != null && structures.has(n)) ?? structures.keys().next().value ?? null;
  last.current = name;
  return name === null ? null : (structures.get(name) ?? null);
}

/** The structure that a cell with this name is in. */
const structureOf = (node: string | undefined): string | undefined => node?.slice(0, node.lastIndexOf("/"));

function StructureBar({ structure, structures }: { readonly structure: MirroredStructure; readonly structures: Mirrored }) {
  const session = useSessionObject();
  const { view } = session.actions;
  const picked = useSession((s) => s.view.structure);
  const page = `structure:${structure.name}`;
  const meta = objectCell(structure.cells, "meta");
  return (
    <Toolbar data-handbook={page}>
      <Select
        label="Structure"
        hideLabel
        value={structure.name}
        options={[...structures.values()].map((s) => ({ value: s.name, title: structureName(s).plain }))}
        onChange={(next) => view.set({ structure: next })}
      />
      <Checkbox checked={picked === null} onChange={(follow) => view.set({ structure: follow ? null : structure.name })}>
        follow
      </Checkbox>
      {structureName(structure).plain === structure.title ? null : (
        <details className="small muted">
          <summary>reference</summary>
          {structure.title}
        </details>
      )}
      {helpOf(session) === null ? null : (
        <Button variant="link" onClick={() => openHelp(session, page)}>
          handbook
        </Button>
      )}
      {meta === null ? null : (
        <Row as="span" wrap gap={[0, 3]} className={cx(styles.meta, "small muted num")}>
          {Object.entries(meta).map(([key, value]) => (
            <span key={key}>
              {key} <b>{typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : showCell(value)}</b>
            </span>
          ))}
        </Row>
      )}
    </Toolbar>
  );
}

const keyIn = (prefix: string, node: string): string | null => (node.startsWith(prefix) ? node.slice(prefix.length) : null);

/** The cells, with those that the event is about and the selected one. */
function Content({ structure }: { readonly structure: MirroredStructure }) {
  const nodes = useSession((s) => selectEvent(s)?.focus.nodes);
  const selected = useSession(selectSelected);
  const { selection } = useActions();
  const prefix = `${structure.name}/`;
  const focused = useMemo(() => new Set((nodes ?? []).flatMap((node) => keyIn(prefix, node) ?? [])), [nodes, prefix]);
  const View = namedView(structure.name) ?? VIEWS[structure.type];
  return (
    <View
      structure={structure}
      focused={focused}
      selected={selected?.kind === "node" ? keyIn(prefix, selected.name) : null}
      onSelect={(key) => selection.select({ kind: "node", name: prefix + key })}
    />
  );
}

/** What the phase shows at later steps, and where it begins. */
function Later({ structures }: { readonly structures: Mirrored }) {
  const known = useSession((s) => s.position.trace?.structures ?? NO_KNOWN);
  const { position } = useActions();
  const later = known.filter(({ name, first = -1 }) => first >= 0 && !structures.has(name));
  if (later.length === 0) return null;
  return (
    <Row as="ul" wrap gap={[0, 3]} pad={[1, 2]} rigid className="line-below quiet" aria-label="Later in this phase">
      {later.map((structure) => (
        <li key={structure.name}>
          {structureName(structure).plain}{" "}
          <Button variant="link" onClick={() => position.seek(structure.first ?? 0)}>
            from step {(structure.first ?? 0) + 1}
          </Button>
        </li>
      ))}
    </Row>
  );
}

/** Which types of structure an event's kind speaks of. */
const TYPES_OF_KIND: Readonly<Partial<Record<EventKind, readonly StructureDelta["type"][]>>> = {
  tree: ["rb-tree"],
  hash: ["hash-map", "value-table"],
  "value-number": ["value-table"],
  "class-mask": ["bitset", "table"],
};

/** The structure that a step is about: what it wrote of the same kind, else what it points at, else what it wrote. */
export function followed(
  structures: ReadonlyMap<string, Pick<MirroredStructure, "name" | "type" | "touched">>,
  kind: EventKind | null,
  focus: string | undefined,
): string | null {
  const own = kind === null ? [] : (TYPES_OF_KIND[kind] ?? []);
  const all = [...structures.values()];
  const written = all.filter((s) => s.touched.size > 0);
  const ofKind = written.find((s) => own.includes(s.type)) ?? all.find((s) => s.name === focus && own.includes(s.type));
  if (ofKind !== undefined) return ofKind.name;
  if (focus !== undefined && structures.has(focus) && own.length === 0) return focus;
  // It only reads one: the one of its kind, where there is only one.
  const readable = all.filter((s) => own.includes(s.type));
  return readable.length === 1 ? (readable[0]?.name ?? null) : (focus ?? written[0]?.name ?? null);
}

/** Bit sets: word by word as bits, and the members in words. */
const MAX_WORDS = 256;

function BitsetView(props: StructureViewProps) {
  const { structure, onSelect } = props;
  const length = numberOf(objectCell(structure.cells, "meta")?.length, 0);
  const words: number[] = new Array(Math.ceil(length / 32)).fill(0);
  for (const [i, value] of numbered(structure.cells, "w")) words[i] = numberOf(value, 0);
  return (
    <Panel pad={2}>
      <p>Members: {memberText(words)}</p>
      <Row wrap className={cx(styles.bits, "mono small")}>
        {words.slice(0, MAX_WORDS).map((word, i) => {
          const key = `w${i}`;
          return (
            <span key={key} className={cellClass(props, key, styles.word)}>
              <button type="button" className={styles.cell} onClick={() => onSelect(key)}>
                <small>{wordRange(i * 32, Math.min(length, i * 32 + 32) - 1)}</small>
              </button>
              <BitRow words={[word]} label={memberText([word], i * 32)} />
            </span>
          );
        })}
      </Row>
      {words.length > MAX_WORDS ? <p className="muted">and {words.length - MAX_WORDS} more words</p> : null}
    </Panel>
  );
}

const wordRange = (first: number, last: number): string => (first === last ? String(first) : `${first}–${last}`);
