import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { course } from "./course.ts";

it("names the lab whose front matter cannot be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "labs-"));
  try {
    writeFileSync(join(folder, "01-good.md"), "---\nid: good\ntitle: A lab\n---\n");
    expect(course(folder)).toContain('"id":"good"');
    for (const text of ["---\nid: [\n---\n", "# A lab\n"]) {
      writeFileSync(join(folder, "02-bad.md"), text);
      expect(() => course(folder)).toThrow("02-bad.md: ");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
