/** What a page opens: the link in its address, else the work this tab had, else the latest work, else the first example. */

import { readEmbed } from "../../embed/embed-fragment.ts";
import { LINK_VERSION, type LinkData, restoreLinkData } from "../../links/link-data.ts";
import { startEmbed } from "../embed/embed-frame.ts";
import { isFramedElsewhere } from "../embed/framed.ts";
import { firstDecision } from "../session/navigate.ts";
import type { PositionSlice } from "../session/position/place.ts";
import type { Session } from "../session/session.ts";
import { clearAddress, takePlace } from "../share/address.ts";
import { readLink } from "../share/decode.ts";
import { openLinkData } from "../share/open-link.ts";
import { placeOf, walkOpened } from "../share/walk.ts";
import { type Keeper, ProgramKeeper } from "../work/keeper.ts";
import { pageEvents } from "../work/page-events.ts";
import { RECENT } from "../work/program-record.ts";
import { type Kept, relation, type Summary } from "../work/record.ts";
import type { RecordKeeper } from "../work/record-keeper.ts";
import type { Tab } from "../work/tab.ts";
import type { Search, Trouble, Works } from "../work/works.ts";

/** What the entry has begun before the page was there. */
export interface Started {
  readonly kept: Works;
  readonly tab: Tab;
  /** Null in a frame of another page. */
  readonly search: Search | null;
}

export interface Opening {
  /** Opens a saved work, unless another program is opened before it is read; reports when it cannot. */
  open(work: Summary): Promise<void>;
  /** Goes back to what this tab had, or to the latest work, or to the first example. */
  openOwn(): Promise<void>;
  /** All kept works, this one as it is now. */
  list(): Promise<readonly Summary[]>;
  readonly kept: Works;
}

function troubleText(trouble: Trouble, kept: Works): string {
  switch (trouble) {
    case "local":
      return "The browser's database does not accept your work, so it is saved in a smaller browser storage. Use File, Download for anything you must not lose.";
    case "nowhere":
      return "The browser does not let this page save your work. Use File, Download to keep it.";
    case "silent": {
      const names = kept.absent().map((s) => `“${s.title}”`);
      const missing = names.length === 0 ? "All of it is there" : `Missing: ${listed(names)}`;
      return `The browser's database does not respond. You see the copy of your work in a smaller browser storage. ${missing}. Your changes are saved there too. Use File, Download for anything you must not lose.`;
    }
  }
}

const MOST_NAMES = 4;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${more} more` : names.join(", ");
}

/** Opens what there is to open and saves its changes. Never leaves the page empty. */
export function startWork(session: Session, { kept, tab, search }: Started): Opening {
  const { actions, store } = session;
  if (search !== null && isFramedElsewhere())
    actions.notify(
      "warning",
      "Another site shows this page in a frame, and can hide what you click. Open it in its own tab before you change your work.",
    );
  kept.onTrouble((trouble) => actions.notify("warning", troubleText(trouble, kept), { label: "Download", command: "file.save-case" }));
  const page = pageEvents();
  const keeper = new ProgramKeeper(session, kept, tab, page, () => walk.isThere());
  const others: readonly RecordKeeper[] = session.features.flatMap((feature) => feature.keepRecords?.(session, kept, page) ?? []);

  let latest = 0;
  const open = async ({ id, title }: Summary): Promise<void> => {
    const mine = ++latest;
    const { since } = store.getState().document;
    const work = await kept.read(id);
    // Another program was opened meanwhile, which stays.
    if (mine !== latest || store.getState().document.since !== since) return;
    if (work === null) {
      actions.notify("error", `“${title}” is no longer saved, or the browser's database does not respond.`);
      return;
    }
    const { kind } = work.summary;
    if (kind === "program" && window.location.hash.length > 1) clearAddress();
    const opens = kind === "program" ? keeper : others.find((other) => other.kind === kind);
    if (opens === undefined || !(await opens.reopen(work))) actions.notify("error", `“${title}” could not be read.`);
  };
  const openOwn = (): Promise<void> => openFound(session, keeper, kept.find(tab.work()));

  const walk = walkOpened(session, async (id) => {
    const { since } = store.getState().document;
    const work = await kept.read(id);
    if (work === null) return false;
    return store.getState().document.since !== since || keeper.reopen(work);
  });
  if (search === null) void openFragment(session, window.location.hash.slice(1), { own: async () => false });
  else void openFirst(session, keeper, tab, search);
  let addresses = 0;
  window.addEventListener("hashchange", ({ oldURL }) => {
    const address = ++addresses;
    const fragment = window.location.hash.slice(1);
    const { origin, edited } = store.getState().document;
    const own = ownFragment(session, fragment);
    if (own !== null) {
      walk.stay(window.location.pathname + window.location.search);
      void own.open(session, fragment);
    } else if (fragment !== "")
      void openFragment(session, fragment, { refused: () => walk.stay(oldURL), isLatest: () => address === addresses });
    // Away from a link that was only looked at, to what the walk does not know.
    else if (origin === "link" && !edited && placeOf(window.history.state) === null) void openOwn();
  });
  const list = () => {
    keeper.flush();
    for (const other of others) other.flush();
    return kept.list();
  };
  return { open, openOwn, list, kept };
}

async function openFirst(session: Session, keeper: Keeper, tab: Tab, search: Search): Promise<void> {
  await Promise.all(session.features.map((feature) => feature.beforeOpening?.(session)));
  const fragment = window.location.hash.slice(1);
  const beside = ownFragment(session, fragment);
  if (fragment === "" || beside !== null) {
    await openFound(session, keeper, search);
    if (beside !== null) await beside.open(session, fragment);
    else for (const feature of session.features) await feature.opened?.(session);
    return;
  }
  const own = async (link: LinkData): Promise<boolean> => {
    if (tab.work() === null) return false;
    const work = await search.soon;
    if (work === null || work.summary.id !== tab.work() || !sameProgram(work, link)) return false;
    clearAddress();
    return keeper.reopen(work);
  };
  await openFragment(session, window.location.hash.slice(1), { own });
}

/** Opens what a search finds; where that comes late, the page has the first example meanwhile, and keeps what was begun in it. */
async function openFound(session: Session, keeper: Keeper, { soon, late }: Search): Promise<void> {
  const { actions, store } = session;
  const untouched = store.getState().document.revision;
  const found = await soon;
  // Typed into the empty page meanwhile: that is the work now.
  if (store.getState().document.revision !== untouched) return;
  if (window.location.hash.length > 1) clearAddress();
  if (found === null || !(await keeper.reopen(found))) {
    openDefault(session);
    if (!store.getState().view.welcomed) actions.view.set({ welcome: true });
  }
  const { since } = store.getState().document;
  const work = await late;
  if (work === null) return;
  // The same work, in a version that the page has opened already.
  const same = found !== null && work.summary.id === found.summary.id ? found.summary.version : null;
  if (same !== null && relation(work.summary.version, same) !== "later") return;
  const { document, position } = store.getState();
  if (document.since === since && !document.edited && untouchedPlace(session, position)) await keeper.reopen(work);
  else actions.notify("info", "The browser's database responded late: your earlier work is under File, Recent.", RECENT);
}

const ownFragment = ({ features }: Session, fragment: string) =>
  features.find((feature) => feature.fragment?.isOwn(fragment) === true)?.fragment ?? null;

const firstProgram = ({ features }: Session) => features.find((feature) => feature.firstProgram !== undefined)?.firstProgram ?? null;

function openDefault(session: Session): void {
  const first = firstProgram(session);
  if (first === null) session.actions.document.openText({ text: "", title: "untitled" });
  else first.open(session);
}

/** Whether the position is the one at which a program opens. */
function untouchedPlace(session: Session, { step, trace }: PositionSlice): boolean {
  return step <= 0 || trace === null || (trace.id === firstProgram(session)?.phase && step === firstDecision(trace));
}

/** A link to one's own work as it is, as copying leaves it in the address: opening it opens the work. */
function sameProgram(work: Kept, link: LinkData): boolean {
  const own = restoreLinkData(LINK_VERSION, work.data)?.data;
  return own !== undefined && work.summary.own && own.source === link.source && own.phase === link.phase && own.step === link.step;
}

/** The page as a link arrives: nothing open yet, but perhaps the saved work of that link; or with open work, which stays where the link is refused. */
type Coming = { readonly own: (link: LinkData) => Promise<boolean> } | { readonly refused: () => void; readonly isLatest: () => boolean };

/** Opens a fragment: `v1.…`, or `embed/v1.…`. One that cannot be read changes nothing; the reason is shown, in an empty page in its middle. */
export async function openFragment(session: Session, fragment: string, coming: Coming): Promise<void> {
  const { actions, store } = session;
  const embed = readEmbed(fragment);
  if (embed !== null) {
    actions.view.set({ embed: true });
    startEmbed(session, embed.options);
  }
  const rest = embed?.link ?? fragment;
  if (rest === "") {
    openDefault(session);
    return;
  }
  const link = await readLink(rest);
  const refuse = (message: string, source: string | null) => {
    if ("own" in coming && store.getState().document.text === "") actions.view.set({ refused: { message, source } });
    else {
      actions.notify("error", `The link could not be opened: ${message}`);
      if ("refused" in coming && window.location.hash === `#${fragment}`) coming.refused();
    }
  };
  if (!link.ok) {
    refuse(link.message, link.source);
    return;
  }
  // A large link is read slowly: the address may have changed again.
  if ("refused" in coming && !coming.isLatest()) return;
  if ("own" in coming && (await coming.own(link.data))) return;
  const place = "own" in coming ? takePlace() : null;
  const problem = await openLinkData(session, place === null ? link.data : { ...link.data, ...place }, { origin: "link" });
  if (problem !== null) refuse(problem, null);
}
