/** Reading cells safely: a structure drawn from data that another layer wrote must never break the page. */

import type { CellValue } from "../../session/moment.ts";

export type CellObject = { readonly [key: string]: CellValue };

export function isObject(value: CellValue | undefined): value is CellObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function numberOf(value: CellValue | undefined, otherwise = -1): number {
  return typeof value === "number" ? value : otherwise;
}

export function objectCell(cells: ReadonlyMap<string, CellValue>, key: string): CellObject | null {
  const value = cells.get(key);
  return isObject(value) ? value : null;
}

/** Cells whose keys are a prefix and a number, in the number's order. */
export function numbered(cells: ReadonlyMap<string, CellValue>, prefix: string): readonly (readonly [number, CellValue])[] {
  const found: (readonly [number, CellValue])[] = [];
  for (const [key, value] of cells) {
    if (!key.startsWith(prefix)) continue;
    const rest = key.slice(prefix.length);
    if (/^\d+$/.test(rest)) found.push([Number(rest), value]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** A cell's value in one line. */
export function showCell(value: CellValue | undefined): string {
  if (value === undefined) return "";
  if (value === null) return "–";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `{${value.map((v) => showCell(v)).join(", ")}}`;
  return Object.entries(value)
    .map(([k, v]) => `${k} ${showCell(v)}`)
    .join(", ");
}
