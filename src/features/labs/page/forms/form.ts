/** What every form of an answer is given. A draft is the answer as far as it is made; null: nothing yet. */

import type { LabSession } from "../lab-session.ts";

export interface FormProps<F> {
  readonly form: F;
  readonly draft: unknown;
  readonly onDraft: (draft: unknown) => void;
  readonly labs: LabSession;
  readonly task: string;
  /** The answer can be looked at, but not changed. */
  readonly locked: boolean;
}

/** A field of a draft that may be of any shape. */
export function fieldOf(draft: unknown, key: string): unknown {
  return typeof draft === "object" && draft !== null && Object.hasOwn(draft, key)
    ? (draft as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

export function listOf(draft: unknown, key: string): readonly unknown[] {
  const value = fieldOf(draft, key);
  return Array.isArray(value) ? value : [];
}

export const textsOf = (draft: unknown, key: string): readonly string[] => listOf(draft, key).filter((item) => typeof item === "string");

export function mapOf(draft: unknown, key: string): Readonly<Record<string, unknown>> {
  const value = fieldOf(draft, key);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

export const textOf = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

export const toggled = <T>(list: readonly T[], item: T): readonly T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

/** The pairs of a draft's edges. */
export const edgesOf = (draft: unknown): readonly (readonly [string, string])[] =>
  listOf(draft, "edges").flatMap((pair) => (Array.isArray(pair) && pair.length === 2 ? [[String(pair[0]), String(pair[1])] as const] : []));

/** Items that are distinguished only by their positions. */
export const placed = <T>(items: readonly T[]): readonly { readonly item: T; readonly place: number }[] =>
  items.map((item, place) => ({ item, place }));

/** A draft as it is handed in: without empty lines. */
export function cleaned(draft: unknown): unknown {
  const lines = (value: unknown): unknown =>
    Array.isArray(value) && value.every((item) => typeof item === "string")
      ? value.map((item) => item.trim()).filter((item) => item !== "")
      : value;
  const inside = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, lines(item)]))
      : value;
  if (typeof draft !== "object" || draft === null) return draft;
  return Object.fromEntries(Object.entries(draft).map(([key, value]) => [key, key === "plan" || key === "input" ? inside(value) : value]));
}
