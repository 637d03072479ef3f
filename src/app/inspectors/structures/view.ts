/** What every drawing of a structure gets. */

import type { MirroredStructure } from "../../session/moment.ts";

export interface StructureViewProps {
  readonly structure: MirroredStructure;
  /** Cell keys that the current event is about. */
  readonly focused: ReadonlySet<string>;
  /** The selected cell's key, null: none of this structure. */
  readonly selected: string | null;
  readonly onSelect: (key: string) => void;
}
