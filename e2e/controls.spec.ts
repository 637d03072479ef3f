/** How much there is to press in the first second. */
import { expect } from "@playwright/test";
import { waitForRun } from "./page.ts";
import { test } from "./test.ts";

/** What can be pressed and is in sight: not the program's text, the cards of the graph, the words of the sentence, a term of the handbook, or the rows of a list (phases, steps). */
const CONTROLS = 'button, input, select, textarea, a[href], summary, [role="tab"], [role="slider"]';

test("a first visit has at most thirty controls in sight", async ({ page }) => {
  await page.goto("./");
  await waitForRun(page);
  await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
  const controls = await page.locator(CONTROLS).evaluateAll((elements) =>
    elements
      .filter((element) => {
        if (
          element.closest(
            ".monaco-editor, [data-editor], [data-node], .react-flow__node, .skip-link, [role=listbox], [data-testid=sentence], button[data-handbook], #pane-inspectors li",
          ) !== null
        )
          return false;
        if (element.matches(":disabled, [aria-disabled=true]")) return false;
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
        const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
        return width > 2 && height > 2 && inside && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      })
      .map((element) => element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName),
  );
  expect(controls.length, controls.join("\n")).toBeLessThanOrEqual(30);
});
