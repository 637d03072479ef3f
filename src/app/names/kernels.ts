/** Short names that distinguish kernels: mangled ones by their own name and what differs, long ones shortened where they agree. */

import { readMangled } from "./mangled.ts";

/** Longest name that is shown unchanged; longest list of what differs. */
const MOST = 36;
const MOST_DIFFERENT = 28;

/** For each name a short one, no two of them equal. */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const groups = new Map<string, { readonly name: string; readonly words: readonly string[] }[]>();
  for (const name of new Set(names)) {
    const { base, words } =
      readMangled(name) ?? (name.length <= MOST ? { base: name, words: [] } : { base: "", words: name.split(/(?<=_)/) });
    groups.set(base, [...(groups.get(base) ?? []), { name, words }]);
  }
  const short = new Map<string, string>();
  for (const [base, group] of groups) {
    const lists = group.map((g) => g.words);
    const start = shared(lists, (list, i) => list[i]);
    const end = shared(lists, (list, i) => (i < list.length - start ? list[list.length - 1 - i] : undefined));
    const even = lists.every((list) => list.length === lists[0]?.length);
    for (const { name, words } of group) {
      const differs = words
        .slice(start, words.length - end)
        // Also in the middle, where the parts of both names can be aligned.
        .filter((word, i) => base === "" || !even || lists.some((list) => list[start + i] !== word));
      short.set(
        name,
        base === "" ? plain(name, differs) : group.length === 1 || differs.length === 0 ? middle(base, MOST) : mangled(base, differs),
      );
    }
  }
  return apart(short);
}

function mangled(base: string, differs: readonly string[]): string {
  return `${middle(base, MOST)} ‹${middle(differs.join(", "), MOST_DIFFERENT)}›`;
}

/** Of a name that is not mangled: how it begins, and what differs. */
function plain(name: string, differs: readonly string[]): string {
  const tail = differs.join("");
  return tail === name || tail === "" ? middle(name, MOST) : `${name.slice(0, MOST - MOST_DIFFERENT)}…${middle(tail, MOST_DIFFERENT)}`;
}

function middle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = (most - 1) / 2;
  return `${text.slice(0, Math.ceil(half))}…${text.slice(text.length - Math.floor(half))}`;
}

/** How many words all lists have in common, from one of their ends. */
function shared(lists: readonly (readonly string[])[], at: (list: readonly string[], i: number) => string | undefined): number {
  const [first] = lists;
  if (first === undefined || lists.length < 2) return 0;
  let n = 0;
  while (at(first, n) !== undefined && lists.every((list) => at(list, n) === at(first, n))) n++;
  return n;
}

/** Names that are still equal differ only in the part that was left out; a number distinguishes them. */
function apart(short: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const text of short.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const given = new Map<string, number>();
  return new Map(
    [...short].map(([name, text]) => {
      if ((counts.get(text) ?? 0) < 2) return [name, text];
      const n = (given.get(text) ?? 0) + 1;
      given.set(text, n);
      return [name, `${text} #${n}`];
    }),
  );
}
