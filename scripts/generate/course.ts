/** The labs of `labs/` with their front matter; a lab's text is loaded when it is opened. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { messageOf } from "../../src/base/errors.ts";
import { root } from "../lib/root.mjs";

export function course(folder = join(root, "labs")): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort();
  const rows = files.map((file) => {
    const { id, title, minutes = null, level = null, objectives = [] } = frontMatter(join(folder, file));
    const row = JSON.stringify({ file, id: String(id), title: String(title), minutes, level, objectives });
    return `  { ...${row}, load: async () => (await import("../../../../labs/${file}?raw")).default },\n`;
  });
  return `import type { CourseLab } from "./course-cards.ts";\n\nexport const COURSE: readonly CourseLab[] = [\n${rows.join("")}];\n`;
}

/** Whether its values are right is for `oriscope lab check`. */
function frontMatter(path: string): Readonly<Record<string, unknown>> {
  const [, front = ""] = /^---\n([\s\S]*?)\n---/.exec(readFileSync(path, "utf8")) ?? [];
  try {
    const read = parse(front);
    if (read === null) throw new Error("there is no front matter");
    return read;
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`);
  }
}
