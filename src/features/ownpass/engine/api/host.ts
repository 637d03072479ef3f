/**
 * Wraps a user's pass as a pass of the engine: it runs in place, with the editor and the remarks of every other pass. An analysis is a pass
 * that changes nothing; its steps and structures are shown like those of a pass.
 */

import { plural } from "../../../../base/plural.ts";
import { PassEnds, PassError } from "../../../../engine/api/own/pass-error.ts";
import { ownRules } from "../../../../engine/api/own/rules.ts";
import { OWN_FAMILY, ownId } from "../../../../engine/config/own-id.ts";
import type { Editor } from "../../../../engine/ir/edit.ts";
import type { Pass, PassContext, PassOutcome } from "../../../../engine/passes/pass.ts";
import { Actions } from "./actions.ts";
import type { OwnAnalysis, PassDefinition } from "./api.ts";
import { makeCtx } from "./ctx-view.ts";
import { FnView } from "./fn-view.ts";
import type { PassLimits } from "./limits.ts";
import type { LineNow } from "./saying.ts";
import type { ScriptEntry } from "./script.ts";
import { Views } from "./views.ts";

export interface HostOptions {
  /** The lines of the file, which are the pass's pseudocode. Default: those of the function. */
  readonly source?: readonly string[];
  /** Receives what the pass does. */
  readonly script?: ScriptEntry[];
  readonly limits?: PassLimits;
  /** Analyses that the pass may not request. */
  readonly forbid?: readonly string[];
  readonly at?: LineNow;
  /** Called with the pass's actions before the pass runs. */
  readonly started?: (actions: Actions) => void;
}

export function hostPass(definition: PassDefinition | OwnAnalysis, options: HostOptions = {}): Pass {
  const { name, summary } = definition;
  const source = options.source ?? String(definition.run).split("\n");
  const table = ownRules(source);
  return {
    family: OWN_FAMILY,
    ids: [ownId(name)],
    summary: summary ?? name,
    rules: table,
    pseudocode: source.length === 0 ? [""] : source,
    run: (ctx) => runOwn(ctx, table, definition, options),
  };
}

function runOwn(
  ctx: PassContext,
  table: ReturnType<typeof ownRules>,
  definition: PassDefinition | OwnAnalysis,
  options: HostOptions,
): PassOutcome {
  const actions = actionsOf(ctx, table, options);
  options.started?.(actions);
  const views = new Views(actions);
  untilItEnds(() => {
    const result: unknown = definition.run(new FnView(views, options.forbid), makeCtx(views));
    if (result instanceof Promise) throw new PassError("A pass is not async: everything it can use is available at once.");
    if ("kind" in definition && definition.kind === "analysis")
      actions.why(`says something of ${plural(resultOf(ctx.edit, result).size, "block")}`);
  });
  return ownOutcome(ctx, actions);
}

/** The result of an analysis; throws if it changed the program or returned no map. */
export function resultOf(edit: Editor, found: unknown): ReadonlyMap<unknown, unknown> {
  if (edit.editCount > 0) throw new PassError("An analysis must not change the program.");
  if (!(found instanceof Map)) throw new PassError("An analysis must return a Map from blocks to their results.");
  return found;
}

export function actionsOf({ edit, remark, module }: PassContext, table: ReturnType<typeof ownRules>, options: HostOptions): Actions {
  const { limits, script, at } = options;
  return new Actions({
    edit,
    remark,
    table,
    module,
    script: script ?? null,
    ...(limits === undefined ? {} : { limits }),
    ...(at === undefined ? {} : { at }),
  });
}

/** A refused edit outside a rewrite ends the pass, but is not an error. */
export function untilItEnds(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof PassEnds)) throw error;
  }
}

export function ownOutcome({ remark }: PassContext, actions: Actions): PassOutcome {
  const { why, refused } = actions.outcome();
  return remark.outcome({ why, matches: remark.rewrites + refused });
}
