/** One tab's program and what is saved of it. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY_LINK, type LinkData } from "../../links/link-data.ts";
import { draftOf, setDraft, startAgain, undoDraft } from "../labs/writer/draft.ts";
import type { SessionState } from "../session/state.ts";
import { openLinkData } from "../share/open-link.ts";
import { recentOf, type Summary } from "./record.ts";
import { type OpenTab, TestBrowser } from "./testing/browser.ts";

const text = (name: string): string =>
  `.kernel ${name}(n: R0)\nA:\n    MOV R1, 0\nB:\n    IADD R1, R1, 1\n@P0 BRA C\n    BRA B\nC:\n    EXIT\n`;
const pass = (source: string) => ({ title: "a pass", source, at: null });

let browser: TestBrowser;
beforeEach(() => {
  browser = new TestBrowser();
});
afterEach(() => browser.dispose());

const state = (tab: OpenTab): SessionState => tab.session.store.getState();
const settled = (tab: OpenTab) => vi.waitFor(() => expect(state(tab).position.state === "loaded" && !state(tab).run.stale).toBe(true));

/** The works under Recent: a program's first word, its pass and its futures. */
async function recent(tab: OpenTab): Promise<readonly string[]> {
  await browser.settle();
  const all = await Promise.all(recentOf(await tab.works.list()).map(async ({ id }) => (await tab.works.read(id))?.data as LinkData));
  return all.map(({ source, pass: kept, futures }) =>
    [/kernel (\w+)/.exec(source ?? "")?.[1] ?? "", kept?.source, ...futures.map((f) => f.name)].join(" ").trimEnd(),
  );
}

async function reopen(tab: OpenTab, name: string): Promise<void> {
  for (const { id } of await tab.works.list()) {
    const kept = await tab.works.read(id);
    if (kept !== null && (kept.data as LinkData).source?.includes(`kernel ${name}(`) === true) await tab.keeper.reopen(kept);
  }
}

describe("a draft of a lab", () => {
  const draft = (tab: OpenTab) => state(tab).lab.draft;

  it("comes back by Undo after Start again, also when another one was begun, and is under Recent", async () => {
    const tab = await browser.open();
    await draftOf(tab.session);
    setDraft(tab.session, "first");
    startAgain(tab.session);
    expect(draft(tab)).toMatchObject({ text: "" });
    setDraft(tab.session, "second");
    await browser.settle();
    const works = await Promise.all(recentOf(await tab.works.list()).map(({ id }) => tab.works.read(id)));
    expect(works.map((kept) => kept?.data)).toEqual([{ source: "second" }, { source: "first" }]);
    undoDraft(tab.session);
    expect(draft(tab)).toMatchObject({ text: "first", former: { text: "second" } });
  });

  it("that two tabs have is two: neither writes over the other's", async () => {
    const [one, other] = [await browser.open(), await browser.open()];
    for (const tab of [one, other]) await draftOf(tab.session);
    setDraft(one.session, "of one");
    setDraft(other.session, "of the other");
    setDraft(one.session, "of one, longer");
    await browser.settle();
    browser.close(one);
    const after = await browser.open(one.memory);
    expect([await draftOf(after.session), await draftOf(other.session)]).toMatchObject([
      { text: "of one, longer" },
      { text: "of the other" },
    ]);
  });

  it("that is open and opened again leaves Undo no earlier text of it", async () => {
    const tab = await browser.open();
    await draftOf(tab.session);
    setDraft(tab.session, "first");
    await browser.settle();
    const [summary] = await tab.works.list();
    const kept = await tab.works.read(summary?.id ?? "");
    expect(kept).not.toBeNull();
    if (kept !== null) await tab.drafts.reopen(kept);
    setDraft(tab.session, "first second");
    undoDraft(tab.session);
    expect(state(tab).lab.draft).toMatchObject({ text: "first second" });
  });

  it("that is long is saved as it is shown, also where what was typed was taken back before the pause", async () => {
    const tab = await browser.open();
    await draftOf(tab.session);
    const text = "x".repeat(30_000);
    for (const typed of [text, `${text}y`, text]) setDraft(tab.session, typed);
    await browser.settle();
    const [summary] = await tab.works.list();
    expect((await tab.works.read(summary?.id ?? ""))?.data).toEqual({ source: text });
  });
});

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

  it("that is only passed by keeps its step and its breakpoints", async () => {
    const tab = await browser.open();
    const { document, position, breakpoints } = tab.session.actions;
    document.openText({ text: text("aaaa"), title: "a" });
    await settled(tab);
    position.goToPhase("ori-branch-opt", 3);
    breakpoints.toggle({ kind: "line", line: 4 });
    await vi.waitFor(() => expect(state(tab).position.moment?.step).toBe(3));
    document.openText({ text: text("bbbb"), title: "b" });
    await settled(tab);
    await browser.settle();
    await reopen(tab, "aaaa");
    await reopen(tab, "bbbb");
    await settled(tab);
    await browser.settle();
    await reopen(tab, "aaaa");
    await vi.waitFor(() => expect(state(tab).position.moment?.step).toBe(3));
    expect(state(tab).position.trace?.id).toBe("ori-branch-opt");
    await vi.waitFor(() => expect(state(tab).breakpoints.list).toHaveLength(1));
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
