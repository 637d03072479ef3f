/** What `import … from "oriscope/pass"` gives: the types that a pass is written against, and the few functions that define one. */

import type { TestOptions } from "../features/ownpass/engine/api/api.ts";

export type {
  AnalysisDefinition,
  AnalysisKind,
  AnalysisResult,
  Block,
  Ctx,
  Definition,
  Dominators,
  EdgeOptions,
  Effect,
  Fn,
  Focus,
  Inst,
  JumpTable,
  Liveness,
  Loop,
  ObservedSet,
  Operand,
  Order,
  PassDefinition,
  PhiInputs,
  ReachingDefinitions,
  Reg,
  RegClass,
  Shown,
  Table,
  TableParts,
  TestOptions,
  Tree,
  Uniformity,
} from "../features/ownpass/engine/api/api.ts";
export {
  defineAnalysis,
  definePass,
  type OwnAnalysis,
  type OwnPass,
  PASS_API_VERSION,
  sameUpToNames,
} from "../features/ownpass/engine/module.ts";

/**
 * A test inside of a pass's file: the page runs it while one types, `oriscope check --pass` runs it, too. Where the file is imported by something else it does nothing.
 */
export function test(_name: string, _program: string, _options: TestOptions = {}): void {}
