/** One tab's program and what is saved of it. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY_LINK } from "../../links/link-data.ts";
import { openLinkData } from "../share/open-link.ts";
import { eventually } from "../testing/eventually.ts";
import type { Summary } from "./record.ts";
import { type OpenTab, recentIn, reopenIn as reopen, stateOf as state, TestBrowser, programText as text } from "./testing/browser.ts";

let browser: TestBrowser;
beforeEach(() => {
  browser = new TestBrowser();
});
afterEach(() => browser.dispose());

const recent = (tab: OpenTab) => recentIn(browser, tab);
const settled = (tab: OpenTab) => eventually(() => expect(state(tab).position.state === "loaded" && !state(tab).run.stale).toBe(true));

describe("the second text of the comparison", () => {
  const type = (tab: OpenTab, second: string): void => tab.session.patch("comparison", { text: second });

  it("is there after a reload, also beside a link's program, and each work has its own", async () => {
    const tab = await browser.open();
    await openLinkData(tab.session, { ...EMPTY_LINK, source: text("aaaa") }, { origin: "link" });
    type(tab, text("second"));
    browser.crash(tab);
    const after = await browser.open(tab.memory);
    expect(state(after).document.text).toContain("aaaa");
    expect(state(after).comparison.text).toBe(text("second"));
    after.session.actions.document.openText({ text: text("bbbb"), title: "b" });
    type(after, text("other"));
    await browser.settle();
    await reopen(after, "aaaa");
    expect(state(after).comparison.text).toBe(text("second"));
    await reopen(after, "bbbb");
    expect(state(after).comparison.text).toBe(text("other"));
  });

  it("that is a copy of a link's program makes the link nobody's work", async () => {
    const tab = await browser.open();
    await openLinkData(tab.session, { ...EMPTY_LINK, source: text("aaaa") }, { origin: "link" });
    type(tab, text("aaaa"));
    await browser.settle();
    expect(state(tab).document.origin).toBe("link");
  });

  it("changes places with the program in one step, and both are kept", async () => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: text("aaaa"), title: "a" });
    type(tab, text("second"));
    tab.session.actions.document.openText({ text: text("second"), title: "second", second: text("aaaa") });
    browser.crash(tab);
    const after = await browser.open(tab.memory);
    expect([state(after).document.text, state(after).comparison.text]).toEqual([text("second"), text("aaaa")]);
  });
});

it("a kept work does not replace what is opened while it is read", async () => {
  const tab = await browser.open();
  tab.session.actions.document.openText({ text: text("aaaa"), title: "a" });
  await browser.settle();
  const kept = await tab.works.read(state(tab).document.work ?? "");
  expect(kept).not.toBeNull();
  tab.session.actions.document.openText({ text: text("bbbb"), title: "b" });
  const reopening = kept === null ? null : tab.keeper.reopen(kept);
  tab.session.actions.document.openText({ text: text("cccc"), title: "c", origin: "link" });
  await browser.settle();
  expect(await reopening).toBe(true);
  expect(state(tab).document.text).toContain("cccc");
});

describe("a kept program", () => {
  it("that is only passed by keeps its step and its breakpoints", async () => {
    const tab = await browser.open();
    const { document, position, breakpoints } = tab.session.actions;
    document.openText({ text: text("aaaa"), title: "a" });
    await settled(tab);
    position.goToPhase("ori-branch-opt", 3);
    breakpoints.toggle({ kind: "line", line: 4 });
    await eventually(() => expect(state(tab).position.moment?.step).toBe(3));
    document.openText({ text: text("bbbb"), title: "b" });
    await settled(tab);
    await browser.settle();
    await reopen(tab, "aaaa");
    await reopen(tab, "bbbb");
    await settled(tab);
    await browser.settle();
    await reopen(tab, "aaaa");
    await eventually(() => expect(state(tab).position.moment?.step).toBe(3));
    expect(state(tab).position.trace?.id).toBe("ori-branch-opt");
    await eventually(() => expect(state(tab).breakpoints.list).toHaveLength(1));
  });

  it("that a tab has open is not removed for 22 files that another one opens", async () => {
    const tab = await browser.open();
    tab.session.actions.document.setText(text("mine"));
    await browser.settle();
    const other = await browser.open();
    for (let n = 0; n < 22; n++) {
      other.session.actions.document.openText({ text: text(`file${n}`), title: `file${n}` });
      await browser.settle();
    }
    browser.close(tab);
    expect(state(await browser.open(tab.memory)).document.text).toBe(text("mine"));
  });

  it.each(["as it was", "with another knob", "with another knob, and reloaded"])(
    "that two tabs have, too long for localStorage, is under Recent where one is closed and the database deleted: %s",
    async (how) => {
      const tab = await browser.open();
      tab.session.actions.document.openText({ text: `${text("huge")}${"// filler\n".repeat(21_000)}`, title: "huge" });
      await browser.settle();
      let other = await browser.open();
      if (how !== "as it was") other.session.actions.run.setKnob("a", "1");
      await browser.settle();
      if (how.includes("reloaded")) {
        browser.close(other);
        other = await browser.open(other.memory);
      }
      expect(await recent(other)).toEqual(["huge"]);
      browser.close(tab);
      browser.deleteDatabase();
      await browser.settle();
      other.session.actions.document.openText({ text: text("next"), title: "next" });
      expect(await recent(other)).toEqual(["next", "huge"]);
    },
  );

  it.each(["as it was", "with another knob"])("that two tabs have is under Recent once where the database is deleted: %s", async (how) => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: text("both"), title: "both" });
    await browser.settle();
    const other = await browser.open();
    if (how !== "as it was") other.session.actions.run.setKnob("a", "1");
    await browser.settle();
    browser.deleteDatabase();
    expect(await recent(tab)).toEqual(["both"]);
  });

  it("whose text is gone is not opened, and what is open stays as it was", async () => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: text("mine"), title: "mine" });
    await browser.settle();
    const before = await tab.works.read(state(tab).document.work ?? "");
    const summary = { ...(await tab.works.list())[0], id: "gone", title: "gone" } as Summary;
    expect(await tab.keeper.reopen({ summary, data: { ...EMPTY_LINK, example: "an example of another release", phase: "ssa" } })).toBe(
      false,
    );
    await browser.settle();
    expect(tab.memory.program).toBe(before?.summary.id);
    expect((await tab.works.read(state(tab).document.work ?? ""))?.data).toEqual(before?.data);
  });

  it("is not removed because the clock was ahead before, and is the latest although it has gone back", async () => {
    browser.moveClock(365 * 24 * 3_600_000);
    const tab = await browser.open();
    for (let n = 0; n < 21; n++) {
      tab.session.actions.document.openText({ text: text(`ahead${n}`), title: `ahead${n}` });
      await browser.settle();
    }
    browser.moveClock(-365 * 24 * 3_600_000);
    for (let n = 0; n < 3; n++) {
      tab.session.actions.document.openText({ text: text(`now${n}`), title: `now${n}` });
      await browser.settle();
    }
    expect((await recent(tab)).slice(0, 3)).toEqual(["now2", "now1", "now0"]);
    expect(state(await browser.open()).document.text).toBe(text("now2"));
  });

  it("is in localStorage at every key, and a long one from the first change on", async () => {
    const tab = await browser.open();
    const { document } = tab.session.actions;
    const shelved = (word: string) => Object.values({ ...localStorage }).some((record) => record.includes(word));
    document.openText({ text: text("short"), title: "s" });
    await browser.settle();
    for (const word of ["first", "second", "third"]) {
      document.setText(`${text("short")}// ${word}\n`);
      expect(shelved(word)).toBe(true);
    }
    const long = `${text("long")}// ${"x".repeat(30_000)} `;
    document.openText({ text: long, title: "l" });
    await browser.settle();
    document.setText(`${long}fourth\n`);
    expect(shelved("fourth")).toBe(true);
    document.setText(`${long}fourth fifth\n`);
    expect(shelved("fifth")).toBe(false);
    await browser.settle();
    expect(shelved("fifth")).toBe(true);
  });

  it("asks before it is left only while no storage takes it", async () => {
    const tab = await browser.open();
    browser.database = "full";
    browser.setLocal("full");
    tab.session.actions.document.setText(text("mine"));
    await browser.settle();
    expect(tab.asks).toBe(true);
    browser.setLocal("ok");
    tab.session.actions.document.setText(`${text("mine")}// more\n`);
    await browser.settle();
    expect(tab.asks).toBe(false);
  });
});

describe("a long text", () => {
  it("that localStorage has no room for: the page asks while what was typed waits for a pause", async () => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: `${text("aaaa")}${"// filler\n".repeat(3_000)}`, title: "a" });
    await browser.settle();
    browser.setLocal("full");
    const asks: boolean[] = [];
    for (const typed of ["1", "2", "3"]) {
      tab.session.actions.document.setText(`${state(tab).document.text}// ${typed}\n`);
      await browser.breath();
      asks.push(tab.asks);
    }
    await browser.settle();
    expect([...asks, tab.asks]).toEqual([false, true, true, false]);
  });

  const long = `${text("long")}${"// a line of a long text, as programs have them by the thousand\n".repeat(4_000)}`;

  it("is saved as it is typed, without a pause, and a browser that is killed has it", async () => {
    const tab = await browser.open();
    const { document } = tab.session.actions;
    document.openText({ text: long, title: "long" });
    await browser.settle();
    document.setText(`${long}// first`);
    await browser.breath();
    const patches = vi.spyOn(tab.works, "patch");
    for (let key = 0; key < 500 && patches.mock.results.length === 0; key++) {
      document.setText(`${state(tab).document.text} key${key}`);
      vi.advanceTimersByTime(20);
      await browser.breath();
    }
    const last = state(tab).document.text;
    await patches.mock.results[0]?.value;
    browser.kill(0);
    const after = await browser.open(tab.memory);
    expect(last.startsWith(state(after).document.text)).toBe(true);
    expect(state(after).document.text).toContain("// first key0 ");
    // What is typed next builds on it.
    after.session.actions.document.setText(`${state(after).document.text} and more`);
    await browser.settle();
    const kept = await after.works.read(state(after).document.work ?? "");
    expect(kept?.data).toMatchObject({ source: expect.stringMatching(/\/\/ first key0 .* and more$/) });
  });
});
