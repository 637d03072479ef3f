/** What is kept of the open pass, and of those that were closed. */

import type { WorkPart } from "../../../app/session/work-part.ts";
import { type LinkPass, MAX_TITLE } from "../../../links/link-data.ts";
import { type AsidePass, asideThatFits, NO_PASS, type OwnPassSlice, workPass } from "./state.ts";

export const PASS_WORK: WorkPart = {
  write: ({ ownpass }) => ({ pass: ownpass.source === null ? null : toLinkPass({ ...ownpass, source: ownpass.source }) }),
  keep: ({ ownpass }) => ({ aside: ownpass.aside.map(toLinkPass), linked: ownpass.linked }),
  open({ pass, linked, ...record }, { ownpass }, from) {
    const whole = from === "record";
    if (pass === null && !whole) return {};
    const aside = asideThatFits(record.aside).map((one): AsidePass => ({ source: one.source, title: one.title, place: one.at }));
    // The same one stays open, and keeps running if it does.
    const same = pass?.source === ownpass.source && (!whole || JSON.stringify(aside) === JSON.stringify(ownpass.aside));
    if (same) return {};
    if (pass === null) return { pass: { ...workPass(NO_PASS), aside } };
    return { pass: { source: pass.source, title: pass.title, place: pass.at, linked: linked || !whole, written: true, aside } };
  },
  changed: ({ ownpass }, { ownpass: before }) =>
    ownpass.revision !== before.revision || ownpass.place !== before.place || ownpass.aside !== before.aside,
  made: ({ ownpass }, { ownpass: opened }) =>
    ownpass.aside !== opened.aside || (ownpass.written && ownpass.source !== opened.source && ownpass.source !== null),
  typed: ({ ownpass }) => [ownpass.revision, ownpass.aside],
  length: ({ ownpass }) => ownpass.source?.length ?? 0,
};

function toLinkPass({ source, title, place }: AsidePass & Partial<OwnPassSlice>): LinkPass {
  return { title: title.slice(0, MAX_TITLE), source, at: place === null ? null : { ...place } };
}
