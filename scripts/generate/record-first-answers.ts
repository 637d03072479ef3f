/** A first visit as the page makes it, with the engine in this process: its questions until the graph of the step is drawn, the answers, and the drawing. */

import type { KnownDrawing } from "../../src/app/graph/layouts.ts";
import { graphModel } from "../../src/app/graph/model/graph-model.ts";
import { CARD } from "../../src/app/graph/model/metrics.ts";
import { localPort } from "../../src/app/session/engine-port.ts";
import { selectGraph } from "../../src/app/session/selectors.ts";
import { createSession } from "../../src/app/session/session.ts";
import type { FirstVisit } from "../../src/app/start-page.tsx";
import type { UnionGraph } from "../../src/engine/api/types.ts";
import { openDefault } from "../../src/features/examples/page/default-example.ts";
import { nodeElk } from "../../src/layout/elk/node.ts";
import { layoutKey } from "../../src/layout/layout-service.ts";
import { defaultLayoutLimits, drawGraph } from "../../src/layout/plan.ts";
import { defaultSpacing } from "../../src/layout/types.ts";
import type { Answered } from "../../src/worker/first-answers.ts";
import { localEngine } from "../../src/worker/local.ts";
import type { QuestionName } from "../../src/worker/questions.ts";

/** The questions for the graph. A starting page's other questions are about the engine itself, and wait for it. */
const PICTURE: ReadonlySet<QuestionName> = new Set(["openFirst", "run", "trace", "graph", "view", "breakpointTicks"]);

export async function recordFirstAnswers(): Promise<FirstVisit> {
  const asked: (Omit<Answered, "answer"> & { readonly answer: Promise<unknown> })[] = [];
  const port = localPort(localEngine);
  const api = new Proxy(port.api, {
    get(target, method: QuestionName) {
      if (!PICTURE.has(method)) return target[method];
      return (...args: readonly unknown[]) => {
        const answer: Promise<unknown> = Reflect.apply(target[method], target, args);
        asked.push({ method, args: JSON.stringify(args), answer });
        return answer;
      };
    },
  });
  const session = createSession({ ...port, api });
  const { store } = session;
  openDefault(session);
  await new Promise<void>((shown, failed) => {
    store.subscribe(({ position, run, notices }) => {
      const wrong = run.error ?? notices[0]?.text ?? null;
      if (wrong !== null || position.state === "failed") failed(new Error(`the first visit shows no step: ${wrong}`));
      else if (position.moment !== null) shown();
    });
  });
  const union = selectGraph(store.getState());
  session.dispose();
  const answers = await Promise.all(asked.map(async (one) => ({ ...one, answer: await one.answer })));
  return { answers, drawing: union === null ? null : await drawingOf(union) };
}

/** As the page draws it when nothing is collapsed or opened. */
async function drawingOf(union: UnionGraph): Promise<KnownDrawing> {
  const opened = new Set<string>();
  const { input } = graphModel(union, { collapsedLoops: new Set(), lines: false, opened, around: null });
  const layout = await drawGraph(input, { limits: defaultLayoutLimits, metrics: CARD, spacing: defaultSpacing, opened }, nodeElk);
  return { key: layoutKey(input), layout };
}
