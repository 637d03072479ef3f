/** Marks made on the graph: what pressing a block, an edge or a register does to an answer, and what the cards then show. */

import type { Subject } from "../../../../engine/api/types.ts";
import type { Form } from "../../engine/forms.ts";
import { edgesOf, mapOf, textsOf, toggled } from "./form.ts";

/** What was pressed, by name. */
export type Pressed =
  | { readonly kind: "block"; readonly label: string }
  | { readonly kind: "edge"; readonly from: string; readonly to: string }
  | { readonly kind: "reg"; readonly name: string };

export const MARKABLE: ReadonlySet<Form["kind"]> = new Set(["blocks", "edges", "registers", "numbers", "parents"]);

/** `label`: of a block that is there; `blockOf`: the label of the block that an instruction is in. */
export function pressedOf(
  subject: Subject | null,
  label: (block: number) => string | null,
  blockOf: (inst: number) => string | null = () => null,
): Pressed | null {
  if (subject?.kind === "reg") return { kind: "reg", name: subject.name };
  if (subject?.kind === "block" || subject?.kind === "inst") {
    const own = subject.kind === "block" ? label(subject.id) : blockOf(subject.id);
    return own === null ? null : { kind: "block", label: own };
  }
  if (subject?.kind !== "edge") return null;
  const [from, to] = [label(subject.from), label(subject.to)];
  return from === null || to === null ? null : { kind: "edge", from, to };
}

export interface Marked {
  readonly draft: unknown;
  /** The first of two blocks that belong together; null: none is waiting. */
  readonly pending: string | null;
}

/** The draft after something was pressed: the same answer as the list form gives. No mark at all may be right, too. */
export function marked(form: Form, draft: unknown, pending: string | null, pressed: Pressed): Marked {
  const none = { draft, pending };
  switch (form.kind) {
    case "blocks":
      return pressed.kind === "block" && form.labels.includes(pressed.label)
        ? { draft: { blocks: toggled(textsOf(draft, "blocks"), pressed.label) }, pending: null }
        : none;
    case "registers":
      return pressed.kind === "reg" && form.names.includes(pressed.name)
        ? { draft: { registers: toggled(textsOf(draft, "registers"), pressed.name) }, pending: null }
        : none;
    case "numbers": {
      if (pressed.kind !== "block" || !form.labels.includes(pressed.label)) return none;
      const numbers = mapOf(draft, "numbers");
      const { [pressed.label]: before, ...rest } = numbers;
      if (before !== undefined) return { draft: Object.keys(rest).length === 0 ? null : { numbers: rest }, pending: null };
      const highest = Math.max(0, ...Object.values(numbers).map(Number));
      return { draft: { numbers: { ...numbers, [pressed.label]: highest + 1 } }, pending: null };
    }
    case "parents": {
      if (pressed.kind !== "block" || !form.labels.includes(pressed.label)) return none;
      if (pending === null) return { draft, pending: pressed.label };
      if (pending === pressed.label) return { draft, pending: null };
      return { draft: { parents: { ...mapOf(draft, "parents"), [pending]: pressed.label } }, pending: null };
    }
    case "edges":
      if (pressed.kind === "edge") return { draft: withEdge(draft, pressed.from, pressed.to), pending: null };
      // An edge that is not drawn yet leads from one block to another.
      if (pressed.kind !== "block" || form.edges !== null) return none;
      return pending === null ? { draft, pending: pressed.label } : { draft: withEdge(draft, pending, pressed.label), pending: null };
    default:
      return none;
  }
}

export function withEdge(draft: unknown, from: string, to: string): unknown {
  const edges = edgesOf(draft);
  const there = edges.some(([a, b]) => a === from && b === to);
  return { edges: there ? edges.filter(([a, b]) => a !== from || b !== to) : [...edges, [from, to]] };
}

/** What the cards show of a draft, by label; null: nothing. */
export function cardMarks(form: Form, draft: unknown, pending: string | null): ReadonlyMap<string, string> | null {
  const marks = new Map<string, string>();
  const put = (label: string, text: string): void => {
    marks.set(label, marks.has(label) ? `${marks.get(label)}, ${text}` : text);
  };
  if (form.kind === "blocks") for (const label of textsOf(draft, "blocks")) put(label, "marked");
  if (form.kind === "numbers") for (const [label, n] of Object.entries(mapOf(draft, "numbers"))) put(label, `yours: ${String(n)}`);
  if (form.kind === "parents")
    for (const [label, parent] of Object.entries(mapOf(draft, "parents"))) put(label, `above: ${String(parent ?? "none")}`);
  if (form.kind === "edges") for (const [from, to] of edgesOf(draft)) put(from, `→ ${to}`);
  if (pending !== null) put(pending, "first of two");
  return marks.size === 0 ? null : marks;
}
