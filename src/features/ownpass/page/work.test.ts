/** The pass and the futures of a work: saved with its own program only. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLinkData } from "../../../app/share/open-link.ts";
import {
  type OpenTab,
  recentIn,
  reopenIn as reopen,
  stateOf as state,
  TestBrowser,
  programText as text,
} from "../../../app/work/testing/browser.ts";
import { EMPTY_LINK, type LinkData } from "../../../links/link-data.ts";
import { FUTURES } from "../../futures/page/feature.ts";
import { ownPass } from "./feature.ts";

let browser: TestBrowser;
beforeEach(() => {
  browser = new TestBrowser({ features: [FUTURES, ownPass()] });
});
afterEach(() => browser.dispose());

const recent = (tab: OpenTab) => recentIn(browser, tab);
const pass = (source: string) => ({ title: "a pass", source, at: null });

describe("a work's pass", () => {
  const ways: Readonly<Record<string, (tab: OpenTab) => Promise<unknown>>> = {
    "another work": (tab) => reopen(tab, "bbbb"),
    "a case file": (tab) => openLinkData(tab.session, { ...EMPTY_LINK, source: text("cccc"), pass: pass("CASE") }, { origin: "own" }),
    "a link": (tab) => openLinkData(tab.session, { ...EMPTY_LINK, source: text("dddd"), pass: pass("LINK") }, { origin: "link" }),
  };
  it.each(Object.entries(ways))("stays its own when %s is opened, however often", async (_, open) => {
    const tab = await browser.open();
    const { document, ownpass } = tab.session.actions;
    document.openText({ text: text("bbbb"), title: "b" });
    ownpass.open({ source: "PASSB", title: "b" });
    await browser.settle();
    document.openText({ text: text("aaaa"), title: "a" });
    ownpass.open({ source: "PASSA", title: "a" });
    await browser.settle();
    for (let times = 0; times < 3; times++) {
      await open(tab);
      await reopen(tab, "aaaa");
    }
    expect(await recent(tab)).toEqual(expect.arrayContaining(["aaaa PASSA", "bbbb PASSB"]));
    expect(state(tab).ownpass.source).toBe("PASSA");
  });

  it("and its futures change with the text in one step", async () => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: text("aaaa"), title: "a" });
    tab.session.actions.ownpass.open({ source: "PASSA", title: "a" });
    const seen = new Set<string>();
    const stop = tab.session.store.subscribe(({ document, ownpass, futures, options }) =>
      seen.add(`${/kernel (\w+)/.exec(document.text)?.[1]} ${ownpass.source} ${futures.list.length} ${options.pipeline.level}`),
    );
    const interventions = [{ kind: "skip", run: "49", n: 1 } as const];
    await openLinkData(
      tab.session,
      { ...EMPTY_LINK, source: text("dddd"), pass: pass("LINK"), interventions, level: 1 },
      { origin: "link" },
    );
    stop();
    expect([...seen]).toEqual(["dddd LINK 1 1"]);
  });

  it("is kept when it is written over a link's program, and so are futures", async () => {
    for (const make of [
      (tab: OpenTab) => tab.session.actions.ownpass.open({ source: "EXERCISE", title: "mine" }),
      (tab: OpenTab) => {
        tab.session.actions.futures.fork([{ kind: "skip", run: "49", n: 1 }]);
        tab.session.actions.futures.rename(1, "EXERCISE");
      },
    ]) {
      const tab = await browser.open();
      await openLinkData(tab.session, { ...EMPTY_LINK, source: text("exercise") }, { origin: "link" });
      expect((await recent(tab)).filter((work) => work.startsWith("exercise EXERCISE"))).toEqual([]);
      make(tab);
      await browser.settle();
      browser.close(tab);
      const fresh = await browser.open();
      expect(await recent(fresh)).toContainEqual(expect.stringMatching(/^exercise.*EXERCISE/));
      expect(state(fresh).document.text).toBe(text("exercise"));
      for (const { id } of await fresh.works.list()) await fresh.works.remove(id);
      browser.close(fresh);
    }
  });

  it("comes back by Undo after it was closed or a template was chosen, also after a reload", async () => {
    const tab = await browser.open();
    const { ownpass } = tab.session.actions;
    ownpass.open({ source: "start", title: "template", template: true });
    ownpass.setSource("MINE");
    ownpass.remove();
    expect(state(tab).notices.at(-1)).toMatchObject({ action: { command: "pass.undo" } });
    ownpass.undo();
    expect(state(tab).ownpass).toMatchObject({ source: "MINE", on: false, aside: [] });
    ownpass.open({ source: "other", title: "template", template: true });
    await browser.settle();
    browser.close(tab);
    const again = await browser.open(tab.memory);
    expect(state(again).ownpass.source).toBe("other");
    again.session.actions.ownpass.undo();
    expect(state(again).ownpass.source).toBe("MINE");
  });

  it("that is too long to be kept is refused when it is opened or typed, with the line", async () => {
    const tab = await browser.open();
    const { ownpass } = tab.session.actions;
    const long = "// a line\n".repeat(20_001);
    ownpass.open({ source: long, title: "long" });
    expect(state(tab).ownpass.source).toBeNull();
    expect(state(tab).notices.at(-1)?.text).toContain("the limit is reached in line 20001");
    ownpass.open({ source: long.slice(0, 200_000), title: "long" });
    ownpass.setSource(long);
    expect(state(tab).ownpass.source).toHaveLength(200_000);
    await browser.settle();
    browser.close(tab);
    expect(state(await browser.open(tab.memory)).ownpass.source).toHaveLength(200_000);
  });

  it("of a stranger that was never run waits for the press after a reload, too", async () => {
    const tab = await browser.open();
    await openLinkData(tab.session, { ...EMPTY_LINK, source: text("cccc"), pass: pass("CASE") }, { origin: "own" });
    await browser.settle();
    browser.close(tab);
    expect(state(await browser.open(tab.memory)).ownpass).toMatchObject({ source: "CASE", linked: true, on: false });
  });

  it("is kept however many take its place", async () => {
    const tab = await browser.open();
    tab.session.actions.document.openText({ text: text("aaaa"), title: "a" });
    for (let i = 0; i < 60; i++) tab.session.actions.ownpass.open({ source: `PASS${i}`, title: `${i}` });
    await browser.settle();
    browser.crash(tab);
    const after = await browser.open(tab.memory);
    expect(state(after).ownpass.aside.map(({ source }) => source)).toEqual(Array.from({ length: 59 }, (_, i) => `PASS${i}`));
  });
});

describe("a kept program", () => {
  it.each(["SHORT", `// long\n${"// filler\n".repeat(3_000)}`])(
    "that is long is saved at once with each pass that is opened beside it",
    async (first) => {
      const tab = await browser.open();
      tab.session.actions.document.openText({ text: `${text("aaaa")}${"// filler\n".repeat(3_000)}`, title: "a" });
      tab.session.actions.ownpass.open({ source: first, title: "first" });
      tab.session.actions.ownpass.open({ source: "SECOND", title: "second" });
      await browser.breath();
      browser.crash(tab);
      const { source, aside } = state(await browser.open(tab.memory)).ownpass;
      expect([...aside.map((one) => one.source), source]).toEqual([first, "SECOND"]);
    },
  );

  it("whose pass stayed open beside a link's program is kept with that where the database is deleted", async () => {
    browser.setLocal("missing");
    const tab = await browser.open();
    tab.session.actions.ownpass.open({ source: "// MINE\nexport default {};\n", title: "file" });
    await openLinkData(tab.session, { ...EMPTY_LINK, source: text("linked") }, { origin: "link" });
    await browser.settle();
    expect(state(tab).ownpass.source).toContain("MINE");
    browser.deleteDatabase();
    await browser.settle();
    browser.close(tab);
    expect(state(await browser.open(tab.memory)).ownpass.source).toContain("MINE");
  });

  const THEIRS: readonly (readonly [what: string, part: Partial<LinkData>])[] = [
    ["a pass", { pass: { title: "theirs", source: "// THEIRS\n", at: null } }],
    ["forks", { futures: [{ name: "f", parent: 0, pinned: false, interventions: [] }] }],
  ];
  it.each(THEIRS)("is not what a link opened with %s and nobody changed, where the database is deleted", async (_, part) => {
    const tab = await browser.open();
    await openLinkData(tab.session, { ...EMPTY_LINK, source: text("linked"), ...part }, { origin: "link" });
    await browser.settle();
    browser.deleteDatabase();
    await browser.settle();
    expect(await recent(tab)).toEqual([]);
  });
});
