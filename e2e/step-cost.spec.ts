/** What a step costs the page, in counts that a slow machine does not change: sixty a second need them not to grow with the program. */
import { expect, type Page } from "@playwright/test";
import { loops } from "../bench/browser/loops.mjs";
import { dropFile, openPageAt } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

interface Counts {
  /** Questions to the workers. */
  messages: number;
  /** Of React. */
  commits: number;
  /** Components rendered in them. */
  renders: number;
  /** Elements and texts of the document that were changed, added or removed. */
  nodes: number;
}

/** What React's tools read of its trees, in a production build as well. */
interface Fiber {
  readonly flags: number;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
}

/** Counts into `window.counts`. Runs in the page before its scripts. */
function count(): void {
  const counts: Counts = { messages: 0, commits: 0, renders: 0, nodes: 0 };
  Object.assign(window, { counts });
  Worker.prototype.postMessage = new Proxy(Worker.prototype.postMessage, {
    apply(target, self, args) {
      counts.messages++;
      return Reflect.apply(target, self, args);
    },
  });
  const PERFORMED_WORK = 1;
  /** Children that are the very same as before were not looked at. */
  const rendered = (fiber: Fiber): void => {
    if ((fiber.flags & PERFORMED_WORK) !== 0) counts.renders++;
    if (fiber.child === (fiber.alternate?.child ?? null)) return;
    for (let child = fiber.child; child !== null; child = child.sibling) rendered(child);
  };
  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot(_: number, { current }: { readonly current: Fiber }) {
        counts.commits++;
        rendered(current);
      },
    },
  });
  new MutationObserver((records) => {
    counts.nodes += new Set(records.flatMap(({ target, addedNodes, removedNodes }) => [target, ...addedNodes, ...removedNodes])).size;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Presses S this many times, each time after all work of the previous step; returns the counts of each step. */
function steps(page: Page, times: number): Promise<Counts[]> {
  return page.evaluate(async (times) => {
    const { counts } = window as unknown as { counts: Counts };
    const target = document.querySelector(".react-flow");
    const sentence = document.querySelector('[data-testid="sentence"]');
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const all: Counts[] = [];
    for (let i = 0; i < times; i++) {
      const [before, shown] = [{ ...counts }, sentence?.getAttribute("data-step")];
      target?.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, cancelable: true }));
      for (let [still, last] = [0, ""]; still < 12; ) {
        await frame();
        const now = JSON.stringify([counts, sentence?.getAttribute("data-step") === shown]);
        still = now === last && sentence?.getAttribute("data-step") !== shown ? still + 1 : 0;
        last = now;
      }
      const each = (key: keyof Counts): number => counts[key] - before[key];
      all.push({ messages: each("messages"), commits: each("commits"), renders: each("renders"), nodes: each("nodes") });
    }
    return all;
  }, times);
}

/**
 * Half of the steps may not cost more: some also mark lines of the source, and if there are too many cards to see together, the view
 * moves in a few. A step is one question; React commits its number and then its state; its other work is listed below.
 */
const MOST: Readonly<Counts> = {
  messages: 1,
  commits: 3,
  // The cards that the step is about before and after, its row in the record, pseudocode and structures, the sentence, the transport.
  renders: 60,
  // The same, with their marks, numbers and instructions.
  nodes: 60,
};

test("a step costs the same in a graph of 100 and of 1,000 blocks: questions, commits, components, nodes", async ({ page }) => {
  test.setTimeout(120_000);
  // The view moves to its target immediately: the number of frames on the way would depend on the machine.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(count);
  await openPageAt(page, "two-adds");
  for (const blocks of someOf([100, 1000], 1)) {
    const { source, count: made } = loops(blocks);
    await dropFile(page, "bench.ori", source);
    await page.locator('[aria-label^="Control-flow graph of bench:"]').waitFor({ timeout: 60_000 });
    await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
    await page.locator(`[aria-label*=" ${made} blocks."]`).waitFor({ timeout: 60_000 });
    // At the beginning, and where the structures are half full.
    for (const part of [0, 0.5]) {
      const slider = page.getByRole("slider", { name: "Step of this phase" });
      const box = await slider.boundingBox();
      if (part > 0) await slider.click({ position: { x: (box?.width ?? 0) * part, y: (box?.height ?? 0) / 2 } });
      await page.locator(".react-flow").focus();
      await steps(page, 3);
      const all = await steps(page, 12);
      for (const key of ["messages", "commits", "renders", "nodes"] as const) {
        const middle = all.map((one) => one[key]).sort((a, b) => a - b)[6];
        expect(middle, `${key} a step, ${made} blocks`).toBeGreaterThan(0);
        expect(middle, `${key} a step, ${made} blocks`).toBeLessThanOrEqual(MOST[key]);
      }
    }
  }
});
