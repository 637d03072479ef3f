/** Links and cases that contain futures of an earlier version. */
import { expect } from "@playwright/test";
import { ADDS } from "../src/cli/testing/futures-programs.ts";
import { decodeLink, encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK, LINK_VERSION, type LinkData } from "../src/links/link-data.ts";
import { futures, goToPhase, openFuture } from "./futures-page.ts";
import { dropFile, expectStep, focusTimeline, openTab, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const SKIP = { kind: "skip", run: "49", n: 1 } as const;
const DROP = { kind: "drop", phase: "gvn-cse", condition: "register-class" } as const;
/** As it was made when the condition could be dropped. */
const OLD: LinkData = {
  ...EMPTY_LINK,
  source: ADDS,
  title: "older",
  format: "ori",
  kernel: "adds",
  interventions: [SKIP, DROP],
  futures: [
    { name: "one add more", parent: 0, pinned: true, interventions: [SKIP] },
    { name: null, parent: 1, pinned: false, interventions: [SKIP, DROP] },
  ],
  future: 2,
  phase: "gvn-cse",
  step: 3,
};
const REASON = "drop gvn-cse:register-class does not apply: this condition cannot be dropped";

test("a link, and then a case, that drops a condition which cannot be dropped any more says so, opens at its place and keeps its futures", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const quiet = watchConsole(page);
  await page.goto(`./#${await encodeLink(OLD)}`);
  await waitForRun(page);
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", "3");
  await expect(page.getByTestId("phase")).toContainText("GvnCse");
  const notices = page.getByRole("region", { name: "Notices" });
  await expect(notices).toContainText(REASON);
  await expect(page.getByTestId("future-said")).toContainText(REASON);
  await expect(futures(page).getByRole("option")).toHaveText([
    /Original/,
    /one add more/,
    /Value numbering without the condition 'registers of different kinds'/,
  ]);
  await expect(openFuture(page)).toContainText("Value numbering without the condition 'registers of different kinds'");
  // Nothing is dropped, so nothing may be wrong.
  await expect(page.getByTestId("dropped")).toHaveCount(0);

  // All of it can be read, and the rest of the bar stays reachable.
  const bar = page.getByTestId("futures");
  await expect(bar.getByRole("button", { name: "Compare", exact: true })).toBeInViewport();
  await bar.getByRole("button", { name: REASON }).click();
  await expect(page.getByRole("list", { name: "What does not apply" })).toContainText("only uniform instructions write a uniform register");

  // What is passed on is what came.
  await page.getByRole("button", { name: "Copy link to this step" }).click();
  const hash = () => new URL(page.url()).hash;
  await expect.poll(hash).toMatch(/^#v1\./);
  const again = await decodeLink(hash());
  expect(again.ok && { ...again.data, futures: again.data.futures, future: again.data.future, step: again.data.step }).toMatchObject({
    interventions: OLD.interventions,
    futures: OLD.futures,
    future: 2,
    phase: "gvn-cse",
    step: 3,
  });

  // A case opens likewise.
  await focusTimeline(page);
  await page.keyboard.press("Home");
  await expectStep(page, 0);
  await dropFile(page, "case.json", JSON.stringify({ ...OLD, title: "of a case", oriscope: LINK_VERSION }));
  await expect.poll(() => page.title()).toContain("of a case");
  await waitForRun(page);
  await expect(page.getByTestId("future-said")).toContainText(REASON);
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", "3");
  await openTab(page, "All runs");
  await goToPhase(page, "gvn-cse");
  await expect(openFuture(page)).toContainText("Value numbering without the condition 'registers of different kinds'");

  // A future that cannot run at all says why, and leads back to the one that does.
  const edited = [{ kind: "edit", run: "49", text: ADDS.replace("adds", "former") }] as const;
  const renamed = {
    ...OLD,
    title: "renamed",
    interventions: edited,
    futures: [{ name: null, parent: 0, pinned: false, interventions: edited }],
  };
  await dropFile(page, "case.json", JSON.stringify({ ...renamed, future: 1, oriscope: LINK_VERSION }));
  const refused = page.getByTestId("refused");
  await expect(refused).toContainText("This future did not run: edit 49, line 1: the edited program is of the kernel former, not of adds.");
  await refused.getByRole("button", { name: "Back to the original run" }).click();
  await waitForRun(page);
  await expect(refused).toHaveCount(0);
  await expect(openFuture(page)).toContainText("Original");
  quiet();
});
