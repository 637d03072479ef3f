/** What every drawing of a structure gets. */

import type { MirroredStructure } from "../../session/moment.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./structures.module.css";

export interface StructureViewProps {
  readonly structure: MirroredStructure;
  /** Cell keys that the current event is about. */
  readonly focused: ReadonlySet<string>;
  /** The selected cell's key, null: none of this structure. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}

/** The classes of what is drawn of a cell: the event is about it, the step changed it, it is selected. */
export function cellClass({ structure, focused, selected }: StructureViewProps, key: string, shape: string | undefined) {
  return cx(shape, focused.has(key) && styles.focused, structure.touched.has(key) && styles.touched, selected === key && styles.selected);
}
