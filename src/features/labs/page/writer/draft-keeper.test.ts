/** The lab that is being written, and what is kept of it. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recentOf } from "../../../../app/work/record.ts";
import { type OpenTab, stateOf as state, TestBrowser } from "../../../../app/work/testing/browser.ts";
import { FUTURES } from "../../../futures/page/feature.ts";
import { ownPass } from "../../../ownpass/page/feature.ts";
import { LABS } from "../feature.ts";
import { draftOf, setDraft, startAgain, undoDraft } from "./draft.ts";
import { DraftKeeper } from "./draft-keeper.ts";

let browser: TestBrowser;
beforeEach(() => {
  browser = new TestBrowser({
    features: [FUTURES, ownPass(), LABS],
    keep: (session, works, tab, page) => new DraftKeeper(session, works, tab, page),
    opened: (session) => session.patch("lab", { draft: "wanted" }),
  });
});
afterEach(() => browser.dispose());

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
    if (kept !== null) await tab.other?.reopen(kept);
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
