/** Lists of features without some of them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/** The names of the lists in src/features. */
export const lists: readonly string[] = readdirSync(join(root, "src/features")).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

/** A list without the lines of features: those that import from their folders, and those that name what these import. */
export function without(list: string, ids: readonly string[]): string {
  const lines = list.split("\n");
  const imported = new RegExp(`"\\./(?:${ids.join("|")})/[^"]*"`);
  const names = lines.flatMap((line) => (imported.test(line) ? (/^import (?:\{ (\w+) \}|\* as (\w+)) /.exec(line)?.slice(1) ?? []) : []));
  const own = new RegExp(`^\\s*(?:\\w+: |\\.\\.\\.)?(?:${names.filter(Boolean).join("|")})(?:\\(\\))?,$`);
  return lines.filter((line) => !imported.test(line) && !own.test(line)).join("\n");
}
