/** Texts that are no programs, such as recorded traces: a part of the engine's worker opens each as a separate session. */

import type { CoreSession } from "../core-session.ts";
import type { Diagnostic, KernelInfo } from "../types.ts";
import type { Readers } from "./readers.ts";

/** One kind of such texts. `Parts`: what the worker loads. */
export interface TextOpener<Parts> {
  /** The part that opens them. */
  readonly part: keyof Parts;
  /** The same part, where it is loaded. */
  opening(parts: Parts): OpeningPart | undefined;
  isOne(text: string): boolean;
  /** The message where the part could not be loaded. */
  readonly without: Pick<Diagnostic, "code" | "message">;
}

export interface OpeningPart {
  /** Never throws for any text. */
  open(text: string, readers: Readers): OpenedText;
}

export type OpenedText =
  | { readonly session: CoreSession; readonly kernels: readonly KernelInfo[]; readonly diagnostics: readonly Diagnostic[] }
  | { readonly session: null; readonly diagnostics: readonly Diagnostic[] };
