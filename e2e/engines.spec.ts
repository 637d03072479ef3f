/** A link that was made with an engine of an earlier release, opened in a page with another one. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { rolldown } from "rolldown";
import { readList, release, writeList } from "../scripts/lib/engines.ts";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { host } from "./host.ts";
import { openMenu, waitForRun } from "./page.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 240_000 });

/** Nested conditions, which the older engine leaves: its pass for them is missing. */
const SOURCE = readFileSync("src/features/examples/page/ori/nested-and.ori", "utf8");
const OLD = "0.0.9";

/** The page of an earlier release, as far as one of today needs it: its engine, built from the sources of today without one pass. */
async function formerPage(folder: string): Promise<string> {
  const bundler = await rolldown({
    input: "src/worker/host.ts",
    platform: "browser",
    logLevel: "silent",
    plugins: [
      {
        name: "older",
        // It draws nothing here.
        resolveId: (id) => (id.endsWith("?worker") ? "\0no-worker" : null),
        load: (id) => (id === "\0no-worker" ? "export default class {}" : null),
        transform(code, id) {
          if (id.endsWith("/api/version.ts")) return code.replace(/ENGINE_VERSION = "[^"]*"/, `ENGINE_VERSION = "${OLD}"`);
          if (id.endsWith("/passes/registry.ts")) return code.replace(/^ {2}optimizeNestedCondBranches,$/m, "");
          return null;
        },
      },
    ],
  });
  const { output } = await bundler.generate({ format: "es", codeSplitting: false });
  await bundler.close();
  const id = createHash("sha256").update(output[0].code).digest("hex").slice(0, 8);
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "assets", `host-${id}.js`), output[0].code);
  writeFileSync(join(folder, "index.html"), "the page of an earlier release");
  writeList(join(folder, "engines.json"), [{ id, version: OLD, files: [`assets/host-${id}.js`] }]);
  return id;
}

const notices = (page: Page) => page.getByRole("region", { name: "Notices" });

test("a link of an older engine says so, shows both results, and is stepped with its own engine", async ({ page, context }, info) => {
  const old = await formerPage(info.outputPath("former"));
  const folder = info.outputPath("site");
  release(info.outputPath("former"), folder);
  release("dist", folder);
  expect(readList(folder)?.map(({ id }) => id)).toEqual([readList("dist")?.[0]?.id, old]);
  expect(readFileSync(join(folder, "index.html"), "utf8")).not.toContain("earlier release");
  const site = await host(folder);
  const link = { ...EMPTY_LINK, source: SOURCE, engine: OLD, build: old, title: "theirs", digest: "of the older engine" };
  // A link of this page's own engine causes no message.
  await page.goto(`${site.address}#${await encodeLink({ ...EMPTY_LINK, source: SOURCE, build: readList("dist")?.[0]?.id ?? "" })}`);
  await waitForRun(page);
  await expect(notices(page)).toHaveText("");
  await page.goto(`${site.address}#${await encodeLink(link)}`);
  await expect(notices(page)).toContainText(`made by engine ${OLD}`);

  // Both results, phase by phase.
  await notices(page).getByRole("button", { name: "Compare" }).click();
  const dialog = page.getByRole("dialog", { name: "Two engines, one program" });
  await expect(dialog).toContainText(`${OLD} (${old})`);
  const row = dialog
    .getByRole("row")
    .filter({ hasText: /^Combining nested conditions/ })
    .first();
  await expect(row.getByRole("cell").nth(0)).toContainText(/\d rewrites?,/);
  await expect(row.getByRole("cell").nth(1)).toContainText("did not run");
  await row.getByRole("button").click();
  await expect(dialog.getByTestId("two-futures")).toContainText("PLOP3");

  // The page continues with the link's engine, and new links name it.
  await dialog.getByRole("button", { name: "Step with the link's engine" }).click();
  await expect(page.getByTestId("engine")).toContainText(old);
  await waitForRun(page);
  await expect(page.getByTestId("crash")).toHaveCount(0);
  // Through a reload as well.
  await page.reload();
  await expect(page.getByTestId("engine")).toContainText(old);
  await waitForRun(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Copy link to this step" }).click();
  await expect(page).toHaveURL(/#v1\./);
  const made = page.url();
  await page.getByRole("button", { name: "Use this page's engine" }).click();
  await expect(page.getByTestId("engine")).toHaveCount(0);
  await waitForRun(page);
  await page.reload();
  await waitForRun(page);
  await expect(page.getByTestId("engine")).toHaveCount(0);

  // A year later: the same link in a fresh tab.
  const later = await context.newPage();
  await later.goto(made);
  await waitForRun(later);
  await expect(notices(later)).toContainText("The result differs");
  site.close();
});
