/** Starts React on what was begun before it was there. */

import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { type ReactNode, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { startEngine } from "../worker/client.ts";
import { type Answered, FirstAnswers } from "../worker/first-answers.ts";
import type { SpawnedEngine } from "../worker/spawn.ts";
import { listenForShortcuts } from "./commands/shortcuts-listener.ts";
import { CORE } from "./core.ts";
import { loadGraph } from "./graph/late-graph.tsx";
import { type KnownDrawing, knowDrawing } from "./graph/layouts.ts";
import { type Opening, type Started, startWork } from "./opening/startup.ts";
import { WorkProvider } from "./opening/work-context.ts";
import type { Feature } from "./session/feature.ts";
import { SessionProvider } from "./session/hooks.ts";
import { createSession, type Session } from "./session/session.ts";
import { Boundary } from "./ui/boundary.tsx";

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

/** The page: the session around the shell. */
interface AppProps {
  readonly session: Session;
  readonly work: Opening;
  readonly children: ReactNode;
}

function App({ session, work, children }: AppProps) {
  useEffect(() => listenForShortcuts(session), [session]);
  return (
    <SessionProvider value={session}>
      <WorkProvider value={work}>
        <Boundary name="The page">{children}</Boundary>
      </WorkProvider>
    </SessionProvider>
  );
}
