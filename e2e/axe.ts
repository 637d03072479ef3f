/** axe's findings for WCAG 2.2 A and AA, run in the same way by all browser tests. */
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules whose answer depends on colours: all that another theme can change. */
const COLOURS = ["color-contrast", "link-in-text-block"];

interface Asked {
  /** The part of the page to check; default all of it. */
  readonly part?: string;
  /** Only what another theme can change. */
  readonly colours?: boolean;
}

/** The system's theme; the page applies it when it receives the change, which is after this request is answered. */
export async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** Fails, without ending the test, with each fault by its rule, element and reason. */
export async function expectAccessible(page: Page, where: string, { part, colours = false }: Asked = {}): Promise<void> {
  // By default every element that passes is described, too, and copied into a second page: three times the work, over half a minute on
  // a loaded machine for the thousands of elements of this page.
  const builder = new AxeBuilder({ page, ...((await hasAxe(page)) ? { axeSource: "0" } : {}) }).setLegacyMode(true).options({
    runOnly: colours ? { type: "rule", values: COLOURS } : { type: "tag", values: TAGS },
    resultTypes: ["violations"],
  });
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  const faults = violations.flatMap(({ id, nodes }) => nodes.map((n) => `${id}: ${n.target.join(" ")} (${n.failureSummary ?? ""})`));
  expect.soft(faults, where).toEqual([]);
}

/** Whether an earlier request has loaded axe into the page: by default it sends its script of half a megabyte with each, twice. */
async function hasAxe(page: Page): Promise<boolean> {
  const there = await Promise.all(page.frames().map((frame) => frame.evaluate(() => "axe" in window)));
  return there.every(Boolean);
}
