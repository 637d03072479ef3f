/** Every pane is filled, then a different program, an edit, a recorded trace or a link replaces the program: no pane shows results of the previous one. */

import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { drawer, dropFile, openExample, openTab, runCommand, waitForEditor, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";
import { fillLong, typeInField } from "./text-field.ts";

test.describe.configure({ timeout: 240_000 });

const LISTING = readFileSync(
  new URL("../src/features/sass/engine/fixtures/12_state_machine.sm_90.cuobjdump.sass", import.meta.url),
  "utf8",
);
const TRACE = readFileSync(new URL("../examples/toy.trace.jsonl", import.meta.url), "utf8");

const RESULT = /.*/s;

interface Pane {
  readonly name: string;
  /** Fills it, and returns where its result is. */
  readonly fill: (page: Page) => Promise<void>;
  readonly result: (page: Page) => Locator;
  /** It recomputes its result right after an edit: what it then shows belongs to the edited text. */
  readonly recomputes?: boolean;
}

const PANES: readonly Pane[] = [
  {
    name: "Run on inputs",
    async fill(page) {
      await drawer(page).getByRole("button", { name: "Compare before and after optimization" }).click();
    },
    result: (page) => drawer(page).getByTestId("verdict").filter({ hasText: /\S/ }).or(drawer(page).getByRole("table")).first(),
  },
  {
    name: "Real SASS",
    async fill(page) {
      await fillLong(drawer(page).getByRole("textbox", { name: /SASS of the same kernel/ }), LISTING);
      await drawer(page).getByRole("button", { name: "Align" }).click();
    },
    result: (page) => drawer(page).getByText(/^score /),
    recomputes: true,
  },
  {
    name: "Stop after a rewrite",
    async fill(page) {
      await drawer(page).getByRole("button", { name: "Find the first wrong rewrite" }).click();
    },
    result: (page) =>
      drawer(page)
        .getByText(/^(No wrong rewrite|.* is the first wrong rewrite|Undecided)/)
        .first(),
  },
  {
    name: "Phase order",
    async fill(page) {
      await drawer(page).getByRole("button", { name: "Try this phase at every place" }).click();
      // The first positions are a result as well; all of them take seconds.
      await drawer(page).getByTestId("places").waitFor({ timeout: 60_000 });
      await drawer(page).getByRole("button", { name: "Stop", exact: true }).click();
    },
    result: (page) => drawer(page).getByTestId("places"),
  },
];

const LINKED = ".kernel linked(n: R0)\nBB0:\n    MOV R1, 5\n    IADD R2, R1, R0\n    EXIT\n";

const FIVE = "five-blocks";
const EDIT = "an edit";

/** What replaces the program. */
const CHANGES: readonly (readonly [name: string, change: (page: Page) => Promise<void>])[] = [
  ["another program", (page) => openExample(page, "jump-table")],
  [
    EDIT,
    async (page) => {
      await waitForEditor(page);
      await page.locator(".monaco-editor").first().click();
      await page.keyboard.press("ControlOrMeta+Home");
      await page.keyboard.insertText("// edited\n");
      await expect(page.locator(".view-line").first()).toContainText("edited");
    },
  ],
  [
    "a recorded trace",
    async (page) => {
      await dropFile(page, "toy.trace.jsonl", TRACE);
      await expect.poll(() => page.title()).toContain("toy.trace.jsonl");
    },
  ],
  [
    "a link",
    async (page) => {
      const link = await encodeLink({ ...EMPTY_LINK, source: LINKED, title: "linked.ori", format: "ori" });
      await page.evaluate((to) => {
        window.location.hash = to;
      }, link);
      await expect.poll(() => page.title()).toContain("linked");
    },
  ],
];

function pairs<A, B>(left: readonly A[], right: readonly B[]): readonly (readonly [A, B])[] {
  return left.flatMap((a) => right.map((b) => [a, b] as const));
}

/** What is derived from the run, or belongs to the picture: not shown of another program, while an edit leaves it with its picture. */
const DERIVED: readonly Pane[] = [
  {
    name: "the life of a block",
    async fill(page) {
      // On its name: elsewhere an instruction would be selected.
      await page
        .locator(".react-flow [data-node]")
        .first()
        .click({ position: { x: 14, y: 10 } });
      await openTab(page, "Why");
    },
    result: (page) => page.getByRole("region", { name: "Changes through the phases" }),
  },
  {
    name: "Find in the graph",
    async fill(page) {
      await runCommand(page, "Find in the graph");
      await page.keyboard.insertText("IADD");
    },
    result: (page) => page.locator("#pane-graph").getByText(/^\d+ of \d+$/),
  },
  {
    name: "Compare",
    async fill(page) {
      await openTab(page, "Compare two runs");
    },
    result: (page) => page.locator("#pane-graph [data-compared] [data-node]").filter({ hasText: "LOP.AND" }),
  },
];

const SHOWN = pairs(PANES, CHANGES).filter(([pane, [name]]) => pane.recomputes !== true || name !== EDIT);
const OTHERS = CHANGES.filter(([name]) => name !== EDIT);

test("no pane shows what belongs to the program that was open before", async ({ page }) => {
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, example: FIVE })}`);
  await waitForRun(page);
  for (const [i, [pane, [name, change]]] of someOf(SHOWN, 2).entries())
    await test.step(`${pane.name} shows no result of what was open before ${name}`, async () => {
      if (i > 0) await openExample(page, FIVE);
      await openTab(page, pane.name);
      await expect(pane.result(page)).toHaveCount(0);
      await pane.fill(page);
      await expect(pane.result(page), "has a result").toContainText(RESULT);
      await pane.result(page).waitFor({ timeout: 60_000 });
      await change(page);
      await expect(pane.result(page)).toHaveCount(0);
      await waitForRun(page);
      await expect(pane.result(page), "once it has run").toHaveCount(0);
    });
  for (const [pane, [name, change]] of someOf(pairs(DERIVED, OTHERS), 1))
    await test.step(`${pane.name}, derived from a run, is not shown after ${name}`, async () => {
      await openExample(page, FIVE);
      await pane.fill(page);
      await pane.result(page).first().waitFor({ timeout: 60_000 });
      await change(page);
      await waitForRun(page);
      await expect(pane.result(page)).toHaveCount(0);
    });
  await test.step("a new program that cannot be run has no picture, text or name of the one before, and each place says why", async () => {
    await openExample(page, FIVE);
    const graph = page.locator("#pane-graph");
    await expect(graph.locator(".react-flow__node").first()).toBeVisible();
    await openTab(page, "Stop after a rewrite");
    await page.getByRole("tab", { name: "At this step" }).click();
    const lines = page.getByRole("listbox", { name: /^Program at this step/ });
    const kernel = page.getByRole("banner").getByText(/ · \d+ blocks?$/);
    await expect(lines).toBeVisible();
    await expect(kernel).not.toHaveCount(0);
    const shows = async (why: string, state: string): Promise<void> => {
      // A file opens with its source in front.
      await page.getByRole("tab", { name: "At this step" }).click();
      await expect(graph.getByText(why, { exact: false })).toBeVisible();
      await expect(drawer(page).getByText(why, { exact: false })).toBeVisible();
      await expect(page.locator("#pane-editor").getByText(why, { exact: false })).toBeVisible();
      await expect(page.getByRole("banner").getByText(state, { exact: true })).toBeVisible();
      await expect(lines).toHaveCount(0);
      await expect(kernel).toHaveCount(0);
      await expect(page.getByText("last valid text")).toHaveCount(0);
      // Cards have their own visibility.
      await expect(page.locator(".react-flow__viewport")).toHaveCSS("opacity", "0");
    };
    await dropFile(page, "broken.ori", ".kernel broken(n: R0)\nBB0:\n    MOVE R1, 5\n    EXIT\n");
    await shows("This program has errors, so it was not run.", "not run: the program has errors");
    await dropFile(page, "comments.ori", "// Nothing but\n// comments.\n");
    await shows("This text contains no kernel, so nothing was run.", "no program");
  });
});

const OPAQUE = `.target sm_90
.kernel k(out: RD0)
BB0:
    MOV R1, 5
    OPAQUE.pure {R0}, {R1}, "foo"
    STG [RD0], R1
    STG [RD0+0x4], R0
    EXIT
`;

test("a listing is offered for the program that it is of, and a made-up value in memory says what it depends on", async ({ page }) => {
  await test.step("a listing leaves with its program", async () => {
    await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, example: "01_switch_dense.sm_90" })}`);
    await waitForRun(page);
    await openTab(page, "Real SASS");
    await page
      .getByRole("button", { name: /^Use .*SASS/ })
      .first()
      .click();
    await expect(page.getByRole("button", { name: "Other listing" })).toBeVisible();
    await typeInField(page, OPAQUE, "over all");
    await waitForRun(page);
    await expect(page.getByRole("button", { name: "Other listing" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Use / })).toHaveCount(0);
  });
  await test.step("the made-up result of an opaque instruction", async () => {
    await openTab(page, "Run on inputs");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByTestId("verdict")).toContainText("1 of 1024 words depends on the opaque instruction 'foo' (line 5)");
    const marked = page.getByRole("button", { name: /Stand-in: depends on the opaque instruction 'foo' \(line 5\)$/ });
    await expect(marked).toHaveCount(1);
    await marked.hover();
    await expect(page.getByText(/^Stand-in: depends on the opaque instruction 'foo'/)).toBeVisible();
  });
});
