/** What the engine asks of the user's pass before the pipeline runs: it is executed in the sandbox, and its answer given back unchanged. */

import type { ActionContext } from "../../../app/session/context.ts";
import type { OwnPhase, OwnSaid, PipelineOptions } from "../../../engine/api/types.ts";
import { codeOf } from "./compiler.ts";
import { answerText, type PassSandbox } from "./sandbox-port.ts";
import { isRepeated, problemsOf } from "./state.ts";

/** Steps of a trace that are statements of the source: more make it slow after each key. */
const MOST_LINES = 5_000;

/** Before the pipeline runs: computes what the pass does at its position, unless the engine knows it. False: it was stopped. */
export async function answerEngine(
  ctx: ActionContext,
  sandbox: PassSandbox,
  own: OwnPhase,
  { kernel, options }: { readonly kernel: string; readonly options: PipelineOptions },
): Promise<boolean> {
  const ask = await ctx.api.ownAsk(kernel, options, isRepeated(ctx.get().ownpass));
  if (ask === null) return true;
  if (!("id" in ask)) {
    show(ctx, ask);
    return true;
  }
  const code = await codeOf(own.source);
  if (typeof code !== "string") return true;
  ctx.patch("ownpass", { running: true });
  const { program, skips, fuel } = ask;
  const source = own.source.split("\n");
  const only = own.lines === null ? {} : { only: own.lines ?? [] };
  const run = { program, source, skips, fuel, record: true, lines: MOST_LINES, ...only, twice: false } as const;
  const request = { ask: "run", code, ...run } as const;
  const answer = await sandbox.ask(request);
  if (typeof answer !== "string" && answer.ended === "stopped") {
    ctx.patch("ownpass", { running: false });
    return false;
  }
  show(ctx, await ctx.api.lendOwn(ask.id, answerText(answer)));
  return true;
}

function show(ctx: ActionContext, said: OwnSaid): void {
  const report = { ...said, problem: said.problem === null ? null : { ...said.problem, column: 0 } };
  ctx.patch("ownpass", { running: false, report, problems: problemsOf(report) });
}
