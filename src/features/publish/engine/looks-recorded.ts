/** Whether a text is a recording: cheap for any text, and without what reads one. */

import type { Recordings } from "./recordings.ts";

/** What an exported HTML file has before its trace. */
export const TRACE_IN_FILE = '<script type="application/json" id="data">';

/** Whether a text declares itself a trace. */
export function looksLikeTrace(text: string): boolean {
  return /^\uFEFF?\s*\{\s*"type"\s*:\s*"trace"/.test(text.slice(0, 200));
}

/** Whether a text is an exported HTML file, by its first lines. */
export function looksExported(text: string): boolean {
  return /^\uFEFF?\s*<!doctype html/i.test(text.slice(0, 200)) && text.includes(TRACE_IN_FILE);
}

/** Whether a text declares itself IonMonkey's graphs: Bril has functions, too, but no passes. */
export function looksLikeIon(text: string): boolean {
  const head = text.slice(0, 20_000);
  return /^\uFEFF?\s*\{/.test(head) && /"functions"\s*:/.test(head) && /"passes"\s*:/.test(head) && /"mir"\s*:/.test(head);
}

/** The worker needs the part for them, and the page what to say where it could not be loaded. */
export const RECORDED_TEXTS = {
  part: "recordings",
  opening: (parts: { readonly recordings?: Recordings }) => parts.recordings,
  isOne: (text: string): boolean => looksLikeTrace(text) || looksExported(text) || looksLikeIon(text),
  without: { code: "TRC004", message: "The code that reads recorded traces could not be loaded." },
} as const;
