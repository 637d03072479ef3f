/** How phases whose subject is something else call the control-flow service: before they read the records, and after the graph changed under them. */

import type { Editor } from "../../../ir/edit.ts";
import type { Func } from "../../../ir/types.ts";
import { Remarks } from "../../../remark/remarks.ts";
import { line, type Rule, rules } from "../../../remark/rules.ts";
import type { Recorder } from "../../../trace/recorder.ts";
import { analyzeControlFlow } from "./control-flow.ts";
import { BRIEF } from "./control-flow-rules.ts";
import { isAnalyzed, recordsAreRight } from "./control-flow-tags.ts";

interface Caller {
  readonly edit: Editor;
  readonly remark: Remarks;
}

/**
 * A call of AnalyzeControlFlow, as a span at a line of the caller; only differences from the records are written. Without a listener, a call that would write
 * nothing is not made.
 */
export function callControlFlow({ edit, remark }: Caller, rule: Rule<typeof BRIEF>, force: boolean): void {
  if (!remark.listening && recordsAreRight(edit.func)) return;
  analyzeControlFlow(edit, { force, brief: { remark, rule, everyWrite: false } });
}

/** The line of a phase whose pseudocode has none for it. */
const AFTER = rules({ records: line("the records that the phase made stale", BRIEF) });

/** What `keepRecords` needs of a phase. */
export interface Phase {
  /** The pass's line for the call; null: it has none. */
  readonly rule: Rule<typeof BRIEF> | null;
  readonly remark: Remarks;
  readonly rec: Recorder;
}

/**
 * The call after a phase, where it left a record stale: a record is right from the first analysis on. Source: analyze-control-flow, 'Consumer Catalog': every
 * pass that changes the graph or the list of blocks calls the service afterwards.
 */
export function keepRecords(before: Func, edit: Editor, { rule, remark, rec }: Phase): void {
  const fn = edit.func;
  if (fn.version === before.version || !(isAnalyzed(before) || isAnalyzed(fn)) || recordsAreRight(fn)) return;
  const told = rule === null ? new Remarks(edit, rec, AFTER, null) : remark;
  analyzeControlFlow(edit, { force: false, brief: { remark: told, rule: rule ?? AFTER.records, everyWrite: false } });
}
