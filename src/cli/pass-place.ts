/** `FILE`, `FILE@after:RUN` or `FILE@before:RUN`: a user's pass, and its position in the pipeline. */

export interface PassPlace {
  readonly side: "after" | "before";
  readonly run: string;
}

/** `place` null: alone. */
export function splitPass(text: string): { readonly file: string; readonly place: PassPlace | null } {
  const [, file, side, run] = /^(.+)@(after|before):([^@]+)$/.exec(text) ?? [];
  if (file === undefined || run === undefined) return { file: text, place: null };
  return { file, place: { side: side === "before" ? "before" : "after", run } };
}
