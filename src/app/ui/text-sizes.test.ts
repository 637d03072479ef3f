import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Drawings with their own scale: a zoomed graph, a sheet of paper, a projector. */
const OWN_SCALE = ["graph/node/card.module.css", "graph/edge-layer.module.css", "shell/print-sheet.module.css"];

test("the page has three text sizes and two weights", () => {
  const sizes = new Set<string>();
  const weights = new Set<string>();
  // An exported file has its own page.
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".css") && !/ui\/fonts\.css$|\/player\//.test(name));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const css = readFileSync(`src/${file}`, "utf8");
    for (const [, weight] of css.matchAll(/font-weight:\s*([^;]+);/g)) weights.add(weight ?? "");
    if (OWN_SCALE.some((end) => file.endsWith(end))) continue;
    for (const [rule, size] of css.matchAll(/font-size:\s*([^;]+);/g)) {
      const present =
        css.slice(0, css.indexOf(rule)).lastIndexOf('data-preset="present"') > css.slice(0, css.indexOf(rule)).lastIndexOf("}");
      if (!present && size !== "inherit" && size !== "100%") sizes.add(size ?? "");
    }
  }
  expect([...sizes].sort()).toEqual(["var(--text-11)", "var(--text-12)", "var(--text-15)"]);
  expect([...weights].sort()).toEqual(["400", "600"]);
});
