/** Conditions on the state: typed with completion, looked for in all phases. */
import { expect } from "@playwright/test";
import { ADDS } from "../src/cli/testing/futures-programs.ts";
import { openProgram } from "./futures-page.ts";
import { setOption, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

// Each is a whole session of a person: many runs, one page.
test.describe.configure({ timeout: 180_000 });

test("a condition on the state is typed with completion, a mistake is said, all phases are looked through, and it stops like a breakpoint", async ({
  page,
}) => {
  const quiet = watchConsole(page);
  await openProgram(page, "adds.ori", ADDS);
  await page.keyboard.press("ControlOrMeta+Shift+B");
  const breakpoints = page.getByRole("dialog", { name: "Breakpoints" });
  const watched = breakpoints.getByRole("combobox", { name: "State becomes" });

  // By keys alone: the list opens while one types, arrows choose, Enter takes; Escape closes the list and not the dialog.
  await watched.focus();
  await watched.pressSequentially("ins");
  const completions = page.getByRole("listbox");
  await expect(completions.getByRole("option")).toHaveText(["instructions", "inst("]);
  await expect(watched).toHaveAttribute("aria-expanded", "true");
  await watched.press("ArrowDown");
  const chosen = completions.getByRole("option", { name: "instructions" });
  await expect(chosen).toHaveAttribute("data-highlighted", "");
  await expect(watched).toHaveAttribute("aria-activedescendant", (await chosen.getAttribute("id")) ?? "no id");
  await watched.press("Enter");
  await expect(watched).toHaveValue("instructions");
  await expect(completions).toHaveCount(0);
  await expect(breakpoints.getByRole("list", { name: "Breakpoints" }).getByText("instructions")).toHaveCount(0);
  await watched.fill("edg");
  await expect(completions.getByRole("option")).toHaveText(["edges", "edge("]);
  await watched.press("Escape");
  await expect(completions).toHaveCount(0);
  await expect(breakpoints).toBeVisible();
  await watched.pressSequentially("e");
  await completions.getByRole("option", { name: "edges" }).click();
  await expect(watched).toHaveValue("edges");
  await expect(watched).toBeFocused();

  // A whole condition goes on only with a word that joins: nothing lies over the buttons.
  await watched.fill("edge(BB0, BB1) ");
  await expect(completions.getByRole("option")).toHaveText(["edge(BB0, BB1) and", "edge(BB0, BB1) or"]);
  await watched.fill("edge(BB0, BB1)");
  await expect(completions).toHaveCount(0);
  await watched.fill("blocks");
  await watched.press("Enter");
  await expect(breakpoints.getByText("this is a number: compare it, or use")).toBeVisible();
  await watched.fill("changes(instructions)");
  await breakpoints.getByRole("button", { name: "Find in all phases" }).click();
  await expect(breakpoints.getByTestId("watch-hits")).toContainText("1 step in all phases");
  await watched.press("Enter");
  await expect(breakpoints.getByRole("checkbox", { name: "state: changes(instructions)" })).toBeChecked();
  await breakpoints.getByRole("list", { name: "Steps at which it becomes true" }).getByRole("button").first().click();
  await expect(breakpoints).toHaveCount(0);
  await waitForRun(page);
  await expect(page.getByTestId("step")).not.toHaveText(/^input/);

  // The strip says in which phase, until another run.
  const ticked = page.locator('[role="option"]:has([data-watched])');
  await expect(ticked).toHaveAccessibleName(/changes\(instructions\) becomes true once$/);
  await expect(ticked).toHaveAttribute("aria-selected", "true");
  await setOption(page, "Level", "0");
  await waitForRun(page);
  await expect(ticked).toHaveCount(0);
  quiet();
});
