import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeLab, encodeLab, isLabFragment } from "./lab-link.ts";

const folder = join(import.meta.dirname, "../../../../labs");

describe("links to labs", () => {
  it("hold the text and the key of the class", async () => {
    for (const name of readdirSync(folder).filter((n) => n.endsWith(".md"))) {
      const text = readFileSync(join(folder, name), "utf8");
      const fragment = await encodeLab(text, "2026 A&B");
      expect(isLabFragment(`#${fragment}`)).toBe(true);
      expect(await decodeLab(fragment)).toEqual({ ok: true, text: text.trimEnd(), classKey: "2026 A&B" });
      // With text, programs and at least five tasks each.
      expect(fragment.length, name).toBeLessThan(8000);
    }
  });

  it("that are cut, damaged or bombs say so", async () => {
    const fragment = await encodeLab("x".repeat(3 * 1024 * 1024));
    expect(await decodeLab(fragment)).toMatchObject({ ok: false, message: "The link contains more text than a lab may have." });
    for (const bad of ["lab=", "lab=v2.AAAA", "lab=v1.!", "lab=v1.AAAA", fragment.slice(0, 40)])
      expect((await decodeLab(bad)).ok, bad).toBe(false);
    expect((await decodeLab(`lab=v1.${"A".repeat(300_000)}`)).ok).toBe(false);
  });
});
