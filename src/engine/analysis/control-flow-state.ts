/** What the parts of AnalyzeControlFlow share. */

import type { Editor } from "../ir/edit.ts";
import type { Remarks } from "../remark/remarks.ts";
import type { EdgeMap } from "../structures/edge-map.ts";
import type { Records } from "./control-flow-records.ts";
import type { Worklist } from "./control-flow-worklist.ts";

export interface Analysis {
  readonly edit: Editor;
  /** Hears all of it; silent in a brief run. */
  readonly remark: Remarks;
  readonly records: Records;
  readonly number: Int32Array;
  /** By block id: how many retreating edges it has. */
  readonly retreating: Uint32Array;
  readonly worklist: Worklist;
  readonly successors: EdgeMap;
  readonly backEdges: EdgeMap;
  readonly force: boolean;
}
