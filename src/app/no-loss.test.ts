/**
 * Nothing typed is lost, in any order of actions: each text is visible, under Recent, or one undo away. A failure
 * prints its seed and the shortest sequence that still loses something.
 */

import fc from "fast-check";
import { describe, it } from "vitest";
import { draws, freshSeed } from "../engine/testing/seed.ts";
import { setDraft, startAgain, undoDraft } from "../features/labs/page/writer/draft.ts";
import { DraftKeeper } from "../features/labs/page/writer/draft-keeper.ts";
import { FEATURES } from "../features/page.ts";
import { EMPTY_LINK } from "../links/link-data.ts";
import { openLinkData } from "./share/open-link.ts";
import { recentOf } from "./work/record.ts";
import { type OpenTab, stateOf as own, TestBrowser } from "./work/testing/browser.ts";

const COUNT = draws(40);
/** The page saves at every key up to this many characters, and localStorage has a copy up to this many. */
const SHORT = 20_000;
const COPIED = 200_000;
const YEAR = 365 * 24 * 3_600_000;

/** How a text was typed. */
interface Typed {
  /** Into a text whose saves take time: what was typed last is saved in a pause, or half a second later. */
  readonly long: boolean;
  /** A pause has passed since. */
  readonly paused: boolean;
}

interface Act {
  readonly what: number;
  /** Which tab, and which of several things. */
  readonly pick: number;
  /** No wait follows it. */
  readonly hasty: boolean;
}

interface Sequence {
  /** A few of all kinds, so that rare ones occur together. */
  readonly deeds: readonly (keyof typeof ACTS)[];
  readonly acts: readonly Act[];
}

/** What a sequence is in the middle of. */
class Play {
  readonly browser = new TestBrowser({
    features: FEATURES,
    keep: (session, works, tab, page) => new DraftKeeper(session, works, tab, page),
    opened: (session) => session.patch("lab", { draft: "wanted" }),
  });
  /** Texts that were typed and have to be somewhere. */
  readonly typed = new Map<string, Typed>();
  opened = 0;
  /** localStorage has a copy of everything but what is too long for it. */
  copied = true;
  private count = 0;
  private names = 0;

  token(long = false): string {
    // With nothing in common at either end: what is alike is an edit.
    const token = `${((++this.count * 2_654_435_761) % 0x1_0000_0000).toString(36)}typed${this.count}${"abcdefghij"[this.count % 10]}`;
    this.typed.set(token, { long, paused: false });
    return token;
  }
  /** One that is typed into what a tab has open. */
  tokenIn(tab: OpenTab): string {
    return this.token(lengthOf(tab) > SHORT);
  }
  /** One in a text that replaces another in it. If the work is too long for localStorage, this one has no copy either. */
  tokenBeside(tab: OpenTab): string {
    return this.token(lengthOf(tab) > COPIED);
  }
  /** A program unlike any other. */
  program(token = "", length = 0): string {
    const name = `k${++this.names}`;
    const filler = `// ${name}\n`;
    const lines = Array.from({ length: 12 }, (_, n) => `    MOV R${(this.names * 7 + n * 13) % 200}, ${this.names * 1_000 + n * 77}`);
    return `.kernel ${name}(n: R0)\n${name}:\n${lines.join("\n")}\n    EXIT\n// ${token}\n${filler.repeat(Math.ceil(length / filler.length))}`;
  }
}

/** A page may be left: it does not ask. Then it is gone with what it had sent to a database that has just stopped to answer, and that no other storage has room for. */
function leaves({ browser, typed }: Play, tab: OpenTab): boolean {
  if (tab.asks) return false;
  if (browser.database === "silent" && browser.local !== "ok")
    for (const [token, { long, paused }] of typed) if (long && !paused) typed.delete(token);
  return true;
}

function lengthOf(tab: OpenTab): number {
  const { document, ownpass, comparison } = own(tab);
  return document.text.length + (ownpass.source?.length ?? 0) + comparison.text.length;
}
const passOf = (token: string) => `// ${token}\nexport default {};\n`;

const ACTS = {
  /** One key after another. */
  type: async (play: Play, tab: OpenTab) => {
    const { setText } = tab.session.actions.document;
    setText(`${own(tab).document.text}/`);
    setText(`${own(tab).document.text}/ ${play.tokenIn(tab)}\n`);
  },
  /** Several keys as one event, as from an input method. */
  dictate: async (play: Play, tab: OpenTab) => tab.session.actions.document.setText(`${own(tab).document.text}// ${play.tokenIn(tab)}\n`),
  typeAtTop: async (play: Play, tab: OpenTab) => tab.session.actions.document.setText(`// ${play.tokenIn(tab)}\n${own(tab).document.text}`),
  pasteOver: async (play: Play, tab: OpenTab) => tab.session.actions.document.setText(play.program(play.tokenBeside(tab))),
  clearAndType: async (play: Play, tab: OpenTab) => {
    const token = play.tokenBeside(tab);
    tab.session.actions.document.setText("");
    tab.session.actions.document.setText(play.program(token));
  },
  clear: async (_: Play, tab: OpenTab) => tab.session.actions.document.setText(""),
  blank: async (_: Play, tab: OpenTab) => tab.session.actions.document.openText({ text: "", title: "untitled" }),
  typePass: async (play: Play, tab: OpenTab) => {
    const { ownpass } = tab.session.actions;
    if (own(tab).ownpass.source === null) ownpass.open({ source: "export default {};", title: "template", template: true });
    ownpass.setSource(`${own(tab).ownpass.source ?? ""}// ${play.tokenIn(tab)}\n`);
  },
  typeSecond: async (play: Play, tab: OpenTab) => {
    const { text } = own(tab).comparison;
    tab.session.patch("comparison", { text: `${text === "" ? own(tab).document.text : text}// ${play.tokenIn(tab)}\n` });
  },
  swapSecond: async (_: Play, tab: OpenTab) => {
    const { comparison, document } = own(tab);
    tab.session.actions.document.openText({ text: comparison.text, title: "second", second: document.text });
  },
  template: async (_: Play, tab: OpenTab) =>
    tab.session.actions.ownpass.open({ source: "export const other = 1;", title: "other", template: true }),
  passFile: async (play: Play, tab: OpenTab) => tab.session.actions.ownpass.open({ source: passOf(play.tokenBeside(tab)), title: "file" }),
  longPassFile: async (play: Play, tab: OpenTab) =>
    tab.session.actions.ownpass.open({ source: `${passOf(play.token(true))}${"// filler\n".repeat(SHORT / 8)}`, title: "file" }),
  closePass: async (_: Play, tab: OpenTab) => tab.session.actions.ownpass.remove(),
  undoPass: async (_: Play, tab: OpenTab) => tab.session.actions.ownpass.undo(),
  future: async (play: Play, tab: OpenTab, pick: number) => {
    const { futures } = tab.session.actions;
    futures.fork([{ kind: "edit", run: String(pick), text: `${play.program(play.tokenIn(tab))}` }]);
    futures.rename(own(tab).futures.open, play.tokenIn(tab));
  },
  knob: async (_: Play, tab: OpenTab, pick: number) => tab.session.actions.run.setKnob("a", String(pick)),
  lab: async (play: Play, tab: OpenTab) => {
    const { draft } = own(tab).lab;
    if (draft !== null && draft !== "wanted") setDraft(tab.session, `${draft.text}\n${play.token(draft.text.length > SHORT)}`);
  },
  longLab: async (play: Play, tab: OpenTab) => {
    const { draft } = own(tab).lab;
    if (draft !== null && draft !== "wanted" && draft.text.length < SHORT)
      setDraft(tab.session, `${draft.text}\n${play.token(true)}\n${"filler\n".repeat(SHORT / 6)}`);
  },
  labAgain: async (_: Play, tab: OpenTab) => {
    const { draft } = own(tab).lab;
    if (draft !== null && draft !== "wanted" && draft.text !== "") startAgain(tab.session);
  },
  labUndo: async (_: Play, tab: OpenTab) => undoDraft(tab.session),
  example: async (play: Play, tab: OpenTab) =>
    tab.session.actions.document.openText({ text: play.program(), title: "example", origin: "example" }),
  file: async (play: Play, tab: OpenTab) => {
    if (play.opened++ < 8) tab.session.actions.document.openText({ text: play.program(play.tokenBeside(tab)), title: "file.ori" });
  },
  longFile: async (play: Play, tab: OpenTab) => {
    if (play.opened++ < 8)
      tab.session.actions.document.openText({ text: play.program(play.token(true), SHORT + 1_000), title: "long.ori" });
  },
  hugeFile: async (play: Play, tab: OpenTab) => {
    if (play.opened++ < 4)
      tab.session.actions.document.openText({ text: play.program(play.token(true), COPIED + 1_000), title: "huge.ori" });
  },
  caseFile: async (play: Play, tab: OpenTab, pick: number) => {
    const pass = pick % 2 === 0 ? { title: "theirs", source: passOf("case"), at: null } : null;
    if (play.opened++ < 8)
      await openLinkData(tab.session, { ...EMPTY_LINK, source: play.program(play.tokenBeside(tab)), pass }, { origin: "own" });
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
    await (kept.summary.kind === "lab" ? tab.other : tab.keeper)?.reopen(kept);
  },
  /** Undoes the last replacement of a text. */
  undo: async (_: Play, tab: OpenTab) => {
    const before = tab.undo.at(-1);
    if (before !== undefined && before !== "" && !own(tab).document.edited) tab.session.actions.document.setText(before);
  },
  newTab: async ({ browser }: Play) => {
    if (browser.tabs.length < 3) await browser.open();
  },
  closeTab: async (play: Play, tab: OpenTab) => {
    if (play.browser.tabs.length > 1 && leaves(play, tab)) play.browser.close(tab);
  },
  reload: async (play: Play, tab: OpenTab) => {
    const { browser } = play;
    if (!leaves(play, tab)) return;
    browser.close(tab);
    await browser.open(tab.memory);
  },
  kill: async (play: Play, _: OpenTab, pick: number) => {
    const { browser, typed } = play;
    // What no storage accepted is only in the page, and the page asks before it is left: nothing else can be done.
    if (browser.tabs.some((tab) => tab.asks)) return;
    await browser.breath();
    // If the database accepts nothing, localStorage remains, which browsers write some seconds late.
    const late = browser.database !== "ok";
    browser.kill(pick);
    for (const [token, { long, paused }] of typed) if (!paused && (long || late)) typed.delete(token);
    await browser.open();
  },
  crash: async ({ browser, typed }: Play, tab: OpenTab) => {
    if (tab.asks) return;
    await browser.breath();
    browser.crash(tab);
    for (const [token, { long, paused }] of typed) if (!paused && long) typed.delete(token);
    await browser.open(tab.memory);
  },
  clockAhead: async ({ browser }: Play) => browser.moveClock(YEAR),
  clockBack: async ({ browser }: Play) => browser.moveClock(-YEAR),
  databaseFull: async ({ browser }: Play) => {
    browser.database = "full";
  },
  databaseGone: async ({ browser }: Play) => {
    browser.database = "missing";
  },
  databaseSilent: async ({ browser }: Play) => {
    browser.database = "silent";
  },
  databaseBack: async ({ browser }: Play) => browser.bringDatabaseBack(),
  localFull: async ({ browser }: Play) => browser.setLocal("full"),
  localGone: async ({ browser }: Play) => browser.setLocal("missing"),
  localBack: async ({ browser }: Play) => browser.setLocal("ok"),
  databaseDeleted: async ({ browser, typed, copied }: Play) => {
    const elsewhere = JSON.stringify([browser.tabs.map(isOpen), browser.copies()]);
    browser.deleteDatabase();
    // What only the database had is deleted with it; what is open is saved again immediately, but a database that does not answer must accept it first.
    for (const [token, text] of typed) {
      if (!text.long && copied) continue;
      if (!elsewhere.includes(token)) typed.delete(token);
      else if (browser.database !== "ok") typed.set(token, { ...text, paused: false });
    }
  },
} satisfies Record<string, (play: Play, tab: OpenTab, pick: number) => Promise<void>>;

/** The texts that a tab has in its editors. */
function isOpen(tab: OpenTab): unknown {
  const { document, ownpass, futures, lab, comparison } = own(tab);
  return [document.text, comparison.text, ownpass.source, ownpass.aside, futures, lab.draft === "wanted" ? null : lab.draft?.text];
}
/** Those, and what one undo restores. */
const inSight = (tab: OpenTab): unknown => [isOpen(tab), tab.undo.at(-1), own(tab).lab.draft];

/** Everything a user can reach: what the tabs show, one undo from it, and the works under Recent. */
async function reachable({ browser }: Play): Promise<string> {
  const all: unknown[] = [];
  const seen = new Set<unknown>();
  for (const tab of browser.tabs) {
    all.push(inSight(tab));
    for (const summary of recentOf(await browser.answer(tab.works.list()))) {
      const key = JSON.stringify([summary.id, summary.version]);
      if (seen.has(key)) continue;
      seen.add(key);
      all.push((await browser.answer(tab.works.read(summary.id)))?.data);
    }
  }
  // It is available again when its storage answers.
  all.push(await browser.outOfReach());
  return JSON.stringify(all);
}

async function play({ deeds, acts }: Sequence): Promise<void> {
  const game = new Play();
  const { browser } = game;
  const done: string[] = [];
  try {
    await browser.open();
    for (const { what, pick, hasty } of acts) {
      const tab = browser.tabs[pick % browser.tabs.length];
      const deed = deeds[what % deeds.length];
      if (tab === undefined || deed === undefined) throw new Error("no tab is open");
      done.push(hasty ? `${deed} ${pick} at once` : `${deed} ${pick}`);
      await browser.answer(ACTS[deed](game, tab, pick));
      const copies = ["reload", "newTab", "kill", "crash"].includes(deed) && browser.database === "ok";
      game.copied = browser.local === "ok" && (game.copied || copies);
      if (hasty) continue;
      await browser.settle();
      for (const [token, typed] of game.typed) game.typed.set(token, { ...typed, paused: true });
      const found = await reachable(game);
      const lost = [...game.typed.keys()].filter((token) => !found.includes(token));
      if (lost.length > 0) throw new Error(`${lost.join(", ")} is nowhere after ${done.join(", ")}`);
    }
  } finally {
    browser.dispose();
  }
}

const DEEDS = Object.keys(ACTS) as (keyof typeof ACTS)[];
const sequence: fc.Arbitrary<Sequence> = fc.record({
  deeds: fc.shuffledSubarray(DEEDS, { minLength: 4, maxLength: 16 }),
  acts: fc.array(fc.record<Act>({ what: fc.nat(1_000), pick: fc.nat(1_000), hasty: fc.boolean() }), {
    minLength: 4,
    maxLength: 24,
    size: "max",
  }),
});

describe("whatever is typed", { timeout: 3_600_000 }, () => {
  const seed = freshSeed();
  it(`is not lost in ${COUNT} sequences of deeds, tabs, clocks and storages, from seed ${seed}`, async () => {
    await fc.assert(fc.asyncProperty(sequence, play), { seed, numRuns: COUNT });
  });
});
