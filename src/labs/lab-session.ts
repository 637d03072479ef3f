/** The engine with whatever reads a lab's programs. */

import type { BrilSupport } from "../engine/api/read/bril-support.ts";
import { recogniseFormat } from "../engine/api/read/recognise.ts";
import { EngineSession } from "../engine/api/session.ts";
import type { Diagnostic } from "../engine/api/types.ts";

/** Whether a lab's text has a fence whose program may be in Bril, or a line that only Bril has. */
export const mayHoldBril = (lab: string): boolean =>
  /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:bril|program)\b(?!.*\bgenerate=)/m.test(lab) || /^[ \t]*@[A-Za-z_%][^\n;]*\{[ \t]*$/m.test(lab);

/** Whether one of an answer's texts is a program in Bril. */
export function answersInBril(answer: unknown): boolean {
  if (typeof answer === "string") return recogniseFormat(answer) === "bril";
  return typeof answer === "object" && answer !== null && Object.values(answer).some(answersInBril);
}

/** A program of a student's own, in any language that is read here, as canonical Ori; or what is wrong with it. */
export function asOri(text: string, bril: BrilSupport | null): { readonly ori: string } | { readonly diagnostics: readonly Diagnostic[] } {
  const { ok, ori, diagnostics } = labSession(bril).open(1, text, null);
  return ok ? { ori } : { diagnostics };
}

/** `bril`: what reads Bril, where the lab has loaded it. */
export const labSession = (bril: BrilSupport | null): EngineSession => new EngineSession(bril === null ? {} : { readers: { bril } });
