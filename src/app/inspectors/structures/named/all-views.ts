/** The drawings of single structures, in one script that comes when the first of them is opened. */

import type { ComponentType } from "react";
import type { StructureViewProps } from "../view.ts";
import { ClassTableView } from "./class-table.tsx";
import { DomSetView, EquivalenceTableView } from "./commoning.tsx";
import { ConvergenceView } from "./convergence.tsx";
import { CopyRingView } from "./copy-ring.tsx";
import { ExpressionsView } from "./expressions.tsx";
import { JumpTableView } from "./jump-table.tsx";
import type { NamedStructure } from "./named-views.ts";
import { OwnSetView, OwnTreeView } from "./own.tsx";
import { RoundsView } from "./rounds.tsx";
import { ScopeTreeView } from "./scope-tree.tsx";
import { CaseLineView, StrategyView } from "./switch.tsx";
import { CandidatesView, ReservedView, TailLiveInsView, WalkView } from "./tails.tsx";
import { TruthTableView } from "./truth-table.tsx";
import { ValueClassesView } from "./value-classes.tsx";
import { EquivView, GatesView } from "./verdicts.tsx";

export const NAMED_VIEWS: Readonly<Record<NamedStructure, ComponentType<StructureViewProps>>> = {
  "truth-table": TruthTableView,
  "merge-candidates": CandidatesView,
  "tail-walk": WalkView,
  "merge-gates": GatesView,
  "reserved-registers": ReservedView,
  "tail-live-ins": TailLiveInsView,
  equiv: EquivView,
  "equivalence-table": EquivalenceTableView,
  "dom-set": DomSetView,
  "copy-ring": CopyRingView,
  "value-numbers": ValueClassesView,
  convergence: ConvergenceView,
  classes: ClassTableView,
  rounds: RoundsView,
  "flattened-tree": ExpressionsView,
  "rebuilt-chain": ExpressionsView,
  "jump-table-bytes": JumpTableView,
  "switch-strategy": StrategyView,
  "switch-cases": CaseLineView,
  "scope-tree": ScopeTreeView,
  "own-set": OwnSetView,
  "own-tree": OwnTreeView,
};
