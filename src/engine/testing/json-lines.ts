/**
 * JSON with one line for each entry: each value `depth` levels down is on its own line, so that a generated file's diff shows entries, and an
 * entry that changes is one changed line. `depth` is at least 1.
 */
export function jsonByEntry(value: unknown, depth: number): string {
  return `${block(value, depth, "")}\n`;
}

function block(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => block(one, depth - 1, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${block(one, depth - 1, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
