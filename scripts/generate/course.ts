/** The labs of `labs/` with what their front matter says; a lab's text is loaded when it is opened. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../lib/root.mjs";

const folder = join(root, "labs");

export function course(): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort();
  const rows = files.map((file) => {
    const [, front = ""] = /^---\n([\s\S]*?)\n---/.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    const { id, title, minutes = null, level = null, objectives = [] } = parse(front);
    const row = JSON.stringify({ file, id: String(id), title: String(title), minutes, level, objectives });
    return `  { ...${row}, load: async () => (await import("../../../labs/${file}?raw")).default },\n`;
  });
  return `import type { CourseLab } from "./course-cards.ts";\n\nexport const COURSE: readonly CourseLab[] = [\n${rows.join("")}];\n`;
}
