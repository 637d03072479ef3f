/** Starts React on what was begun before it was there. */
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startEngine } from "../worker/client.ts";
import { type Answered, FirstAnswers } from "../worker/first-answers.ts";
import type { SpawnedEngine } from "../worker/spawn.ts";
import { App } from "./app.tsx";
import { CORE } from "./core.ts";
import { loadGraph } from "./graph/late-graph.tsx";
import { type KnownDrawing, knowDrawing } from "./graph/layouts.ts";
import type { Feature } from "./session/feature.ts";
import { createSession } from "./session/session.ts";
import { type Started, startWork } from "./share/startup.ts";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";

/** What a first visit asks, answered, and its first drawing. */
export interface FirstVisit {
  readonly answers: readonly Answered[];
  readonly drawing: KnownDrawing | null;
}

/** Shows a page in the document's root, on an engine and a search for kept work that were started before. */
export function startOn(
  engine: SpawnedEngine,
  started: Started,
  shell: ReactNode,
  features: readonly Feature[],
  known: FirstVisit | null = null,
): void {
  const graph = loadGraph();
  const drawing = known?.drawing ?? null;
  if (drawing !== null) knowDrawing(drawing);
  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root element");
  const session = createSession(startEngine(engine, new FirstAnswers(known?.answers ?? [])), {
    build: ownEngine(),
    features: [...CORE, ...features],
  });
  for (const feature of session.features) feature.start?.(session);
  const work = startWork(session, started);
  // It comes with all the rest: so the first picture is made in one go.
  void graph.then(() =>
    createRoot(root).render(
      <StrictMode>
        <App session={session} work={work}>
          {shell}
        </App>
      </StrictMode>,
    ),
  );
}

/** The page's own engine, by the hash of its script; empty where the page was not built. */
function ownEngine(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="oriscope-engine"]')?.content ?? "";
}
