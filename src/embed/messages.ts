/** The messages between an embedded frame and the page around it, checked on arrival. */

/** From the page to the frame. */
export type ToFrame =
  | { readonly oriscope: 1; readonly type: "theme"; readonly theme: "light" | "dark" }
  | { readonly oriscope: 1; readonly type: "step"; readonly direction: 1 | -1 };

/** From the frame to the page: its current position. */
export interface FromFrame {
  readonly oriscope: 1;
  readonly type: "moment";
  readonly phase: string;
  /** -1: the phase's input. */
  readonly step: number;
  readonly sentence: string;
}

export function toFrame(value: unknown): ToFrame | null {
  if (!isOurs(value)) return null;
  if (value.type === "theme" && (value.theme === "light" || value.theme === "dark"))
    return { oriscope: 1, type: "theme", theme: value.theme };
  if (value.type === "step" && (value.direction === 1 || value.direction === -1))
    return { oriscope: 1, type: "step", direction: value.direction };
  return null;
}

export function fromFrame(value: unknown): FromFrame | null {
  if (!isOurs(value) || value.type !== "moment") return null;
  const { phase, step, sentence } = value;
  if (typeof phase !== "string" || typeof step !== "number" || typeof sentence !== "string") return null;
  return { oriscope: 1, type: "moment", phase, step, sentence };
}

const isOurs = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && "oriscope" in value && value.oriscope === 1;
