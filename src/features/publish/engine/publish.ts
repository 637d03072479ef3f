/** What can be published of a run: the trace as JSON lines, a file that plays it, the list of changes as Markdown. */

import type { RunResult } from "../../../engine/api/types.ts";
import type { Elk } from "../../../layout/elk/elk.ts";
import { changeLog } from "./change-log.ts";
import { traceHtml } from "./html/html.ts";
import { recordTrace, type TraceSource } from "./record-trace.ts";
import type { TraceDocument } from "./trace-document.ts";
import { traceText } from "./write-trace.ts";

export const PUBLISH_FORMATS = ["trace", "html", "log"] as const;
export type PublishFormat = (typeof PUBLISH_FORMATS)[number];

export interface PublishRequest {
  readonly format: PublishFormat;
  readonly title: string;
  /** Runs by their index in the result; null: every phase that changed something. */
  readonly runs: readonly number[] | null;
  /** Most steps of all phases together. */
  readonly mostSteps: number;
}

export interface Published {
  readonly text: string;
  readonly phases: number;
  readonly steps: number;
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

/** The default number of recorded steps. */
export const USUAL_STEPS = 20_000;

/** `elk` draws the pictures of an HTML file. */
export async function publish(source: TraceSource, result: RunResult, request: PublishRequest, elk: Elk): Promise<Published> {
  const runs = request.runs ?? result.phases.filter((p) => p.ran && p.changed).map((p) => p.run);
  const document = recordTrace(source, result, { title: request.title, runs, mostSteps: request.mostSteps });
  const notes = document.phases.filter((p) => p.cut).map((p) => `${p.name}: the trace is cut after ${p.steps.length} steps.`);
  const missing = runs.length - document.phases.length;
  if (missing > 0)
    notes.push(`${missing} ${missing === 1 ? "phase is" : "phases are"} left out: the limit of ${request.mostSteps} steps is reached.`);
  return {
    text: await render(document, request.format, elk),
    phases: document.phases.length,
    steps: document.phases.reduce((n, p) => n + p.steps.length, 0),
    notes,
  };
}

function render(document: TraceDocument, format: PublishFormat, elk: Elk): string | Promise<string> {
  switch (format) {
    case "trace":
      return traceText(document);
    case "html":
      return traceHtml(document, elk);
    case "log":
      return changeLog(document);
  }
}
