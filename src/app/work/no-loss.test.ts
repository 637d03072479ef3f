/**
 * Nothing that was typed is lost, whatever is done in whatever order: each text is in sight, under Recent, or one undo away. `NO_LOSS=2000 npm run unit -- no-loss` tries
 * as many sequences; a failure prints its seed and the shortest sequence that still loses something.
 */

import fc from "fast-check";
import { describe, it } from "vitest";
import { freshSeed } from "../../engine/testing/seed.ts";
import { EMPTY_LINK } from "../../share/link-data.ts";
import { setDraft, startAgain, undoDraft } from "../labs/writer/draft.ts";
import { openLinkData } from "../share/open-link.ts";
import { recentOf } from "./record.ts";
import { type OpenTab, TestBrowser } from "./testing/browser.ts";

const COUNT = Number(process.env.NO_LOSS ?? 40);
const YEAR = 365 * 24 * 3_600_000;

interface Act {
  readonly what: keyof typeof ACTS;
  /** Which of several. */
  readonly pick: number;
  /** Nothing is waited for after it. */
  readonly hasty: boolean;
}

/** What a sequence is in the middle of. */
class Play {
  readonly browser = new TestBrowser();
  /** Texts that were typed and have to be somewhere; true: a pause has passed since. */
  readonly typed = new Map<string, boolean>();
  opened = 0;
  /** localStorage has taken a copy of everything. */
  copied = true;
  private count = 0;
  private names = 0;

  token(): string {
    const token = `typed${++this.count}x`;
    this.typed.set(token, false);
    return token;
  }
  /** A program unlike any other. */
  program(token = ""): string {
    const name = `k${++this.names}`;
    const lines = Array.from({ length: 12 }, (_, n) => `    MOV R${(this.names * 7 + n * 13) % 200}, ${this.names * 1_000 + n * 77}`);
    return `.kernel ${name}(n: R0)\n${name}:\n${lines.join("\n")}\n    EXIT\n// ${token}\n`;
  }
}

const own = (tab: OpenTab) => tab.session.store.getState();
const passOf = (token: string) => `// ${token}\nexport default {};\n`;

/** The storages fail one after the other, not in the same moment. */
async function localFails(play: Play, mode: "full" | "missing"): Promise<void> {
  await play.browser.settle();
  play.browser.setLocal(mode);
  play.copied = false;
}
async function databaseFails({ browser }: Play, mode: "full" | "missing"): Promise<void> {
  await browser.settle();
  browser.database = mode;
}

const ACTS = {
  /** Keys, one after the other: the first one in an empty editor begins another program. */
  type: async (play: Play, tab: OpenTab) => {
    const { setText } = tab.session.actions.document;
    setText(`${own(tab).document.text}/`);
    setText(`${own(tab).document.text}/ ${play.token()}\n`);
  },
  pasteOver: async (play: Play, tab: OpenTab) => tab.session.actions.document.setText(play.program(play.token())),
  clearAndType: async (play: Play, tab: OpenTab) => {
    tab.session.actions.document.setText("");
    tab.session.actions.document.setText(play.program(play.token()));
  },
  clear: async (_: Play, tab: OpenTab) => tab.session.actions.document.setText(""),
  blank: async (_: Play, tab: OpenTab) => tab.session.actions.document.openText({ text: "", title: "untitled" }),
  typePass: async (play: Play, tab: OpenTab) => {
    const { ownpass } = tab.session.actions;
    if (own(tab).ownpass.source === null) ownpass.open({ source: "export default {};", title: "template", template: true });
    ownpass.setSource(`${own(tab).ownpass.source ?? ""}// ${play.token()}\n`);
  },
  template: async (_: Play, tab: OpenTab) =>
    tab.session.actions.ownpass.open({ source: "export const other = 1;", title: "other", template: true }),
  passFile: async (play: Play, tab: OpenTab) => tab.session.actions.ownpass.open({ source: passOf(play.token()), title: "file" }),
  closePass: async (_: Play, tab: OpenTab) => tab.session.actions.ownpass.remove(),
  undoPass: async (_: Play, tab: OpenTab) => tab.session.actions.ownpass.undo(),
  future: async (play: Play, tab: OpenTab, pick: number) => {
    const { futures } = tab.session.actions;
    futures.fork([{ kind: "edit", run: String(pick), text: `${play.program(play.token())}` }]);
    futures.rename(own(tab).options.futures.open, play.token());
  },
  knob: async (_: Play, tab: OpenTab, pick: number) => tab.session.actions.run.setKnob("a", String(pick)),
  lab: async (play: Play, tab: OpenTab) => {
    const { draft } = own(tab).lab;
    if (draft !== null && draft !== "wanted") setDraft(tab.session, `${draft.text}\n${play.token()}`);
  },
  labAgain: async (_: Play, tab: OpenTab) => {
    const { draft } = own(tab).lab;
    if (draft !== null && draft !== "wanted" && draft.text !== "") startAgain(tab.session);
  },
  labUndo: async (_: Play, tab: OpenTab) => undoDraft(tab.session),
  example: async (play: Play, tab: OpenTab) =>
    tab.session.actions.document.openText({ text: play.program(), title: "example", origin: "example" }),
  file: async (play: Play, tab: OpenTab) => {
    if (play.opened++ < 8) tab.session.actions.document.openText({ text: play.program(play.token()), title: "file.ori" });
  },
  caseFile: async (play: Play, tab: OpenTab, pick: number) => {
    const pass = pick % 2 === 0 ? { title: "theirs", source: passOf("case"), at: null } : null;
    if (play.opened++ < 8) await openLinkData(tab.session, { ...EMPTY_LINK, source: play.program(play.token()), pass }, { origin: "own" });
  },
  link: async (play: Play, tab: OpenTab, pick: number) => {
    const pass = pick % 2 === 0 ? { title: "theirs", source: passOf("link"), at: null } : null;
    await openLinkData(tab.session, { ...EMPTY_LINK, source: play.program(), pass }, { origin: "link" });
  },
  recent: async (_: Play, tab: OpenTab, pick: number) => {
    const works = recentOf(await tab.works.list());
    const summary = works[pick % Math.max(1, works.length)];
    const kept = summary === undefined ? null : await tab.works.read(summary.id);
    if (kept === null || kept.summary.id === own(tab).document.work) return;
    await (kept.summary.kind === "lab" ? tab.drafts : tab.keeper).reopen(kept);
  },
  /** Takes back the last text that took another one's place. */
  undo: async (_: Play, tab: OpenTab) => {
    const before = tab.undo.at(-1);
    if (before !== undefined && before !== "" && !own(tab).document.edited) tab.session.actions.document.setText(before);
  },
  newTab: async ({ browser }: Play) => {
    if (browser.tabs.length < 3) await browser.open();
  },
  closeTab: async ({ browser }: Play, tab: OpenTab) => {
    if (browser.tabs.length > 1 && !tab.asks) browser.close(tab);
  },
  reload: async ({ browser }: Play, tab: OpenTab) => {
    // Whoever is asked stays.
    if (tab.asks) return;
    browser.close(tab);
    await browser.open(tab.memory);
  },
  kill: async (play: Play, _: OpenTab, pick: number) => {
    const { browser } = play;
    // What no storage took is in the page alone, and the page has said so.
    if ((browser.database !== "ok" && browser.local !== "ok") || browser.tabs.some((tab) => tab.asks)) return;
    browser.kill(pick);
    for (const [token, saved] of play.typed) if (!saved) play.typed.delete(token);
    await browser.open();
  },
  clockAhead: async ({ browser }: Play) => browser.moveClock(YEAR),
  clockBack: async ({ browser }: Play) => browser.moveClock(-YEAR),
  databaseFull: async (play: Play) => databaseFails(play, "full"),
  databaseGone: async (play: Play) => databaseFails(play, "missing"),
  databaseBack: async ({ browser }: Play) => browser.bringDatabaseBack(),
  localFull: async (play: Play) => localFails(play, "full"),
  localGone: async (play: Play) => localFails(play, "missing"),
  localBack: async ({ browser }: Play) => browser.setLocal("ok"),
  databaseDeleted: async ({ browser, typed, copied }: Play) => {
    if (browser.database !== "ok" || browser.local !== "ok") return;
    // What has no copy is the database's alone, but for what is open.
    const open = JSON.stringify(
      browser.tabs.map((tab) => [own(tab).document.text, own(tab).ownpass.source, own(tab).options.futures, own(tab).lab.draft]),
    );
    if (!copied) for (const token of typed.keys()) if (!open.includes(token)) typed.delete(token);
    browser.deleteDatabase();
    // The pages hear of it at once.
    await browser.settle(false);
    // Until the page has written its copies into the new one, localStorage alone has them, which a browser that is killed may not have written.
    for (const token of typed.keys()) typed.set(token, false);
  },
} satisfies Record<string, (play: Play, tab: OpenTab, pick: number) => Promise<void>>;

/** Whatever a user reaches: what the tabs show, one undo from it, and the works under Recent. */
async function reachable({ browser }: Play): Promise<string> {
  const all: unknown[] = [];
  const seen = new Set<unknown>();
  for (const tab of browser.tabs) {
    const { document, ownpass, options, lab } = own(tab);
    all.push(document.text, tab.undo.at(-1), ownpass.source, ownpass.aside, options.futures, lab.draft);
    for (const summary of recentOf(await tab.works.list())) {
      const key = JSON.stringify([summary.id, summary.version]);
      if (seen.has(key)) continue;
      seen.add(key);
      all.push((await tab.works.read(summary.id))?.data);
    }
  }
  // It is there again when its storage answers.
  all.push(await browser.outOfReach());
  return JSON.stringify(all);
}

async function play(acts: readonly Act[]): Promise<void> {
  const game = new Play();
  const { browser } = game;
  try {
    await browser.open();
    for (const { what, pick, hasty } of acts) {
      const tab = browser.tabs[pick % browser.tabs.length];
      if (tab === undefined) throw new Error("no tab is open");
      await ACTS[what](game, tab, pick);
      if (hasty && browser.database === "ok" && browser.local === "ok") continue;
      await browser.settle();
      for (const token of game.typed.keys()) game.typed.set(token, true);
      const found = await reachable(game);
      const lost = [...game.typed.keys()].filter((token) => !found.includes(token));
      if (lost.length > 0) throw new Error(`${lost.join(", ")} is nowhere after ${what}`);
    }
  } finally {
    browser.dispose();
  }
}

const NAMES = Object.keys(ACTS) as (keyof typeof ACTS)[];
const act = fc.record<Act>({ what: fc.constantFrom(...NAMES), pick: fc.nat(1_000), hasty: fc.boolean() });

describe("whatever is typed", { timeout: 3_600_000 }, () => {
  const seed = freshSeed();
  it(`is not lost in ${COUNT} sequences of deeds, tabs, clocks and storages, from seed ${seed}`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24, size: "max" }), play), {
      seed,
      numRuns: COUNT,
    });
  });
});
