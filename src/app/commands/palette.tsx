/** The palette: every command, every phase, every kernel, block and step, by typing a part of its name. */

import { useEffect, useId, useMemo, useRef, useState } from "react";
import { absentPass } from "../names/absent-passes.ts";
import type { PaletteEntry } from "../session/feature.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { selectEarlier, selectEarlierRun, selectOwnMoment } from "../session/provenance.ts";
import { selectKernels, selectPhases } from "../session/selectors.ts";
import { useShortNames } from "../session/use-short-names.ts";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Row } from "../ui/layout.tsx";
import styles from "./palette.module.css";
import {
  blockEntries,
  commandEntries,
  type Entry,
  kernelEntries,
  phaseEntries,
  placeEntries,
  programEntries,
  stepEntry,
  structureEntries,
} from "./palette-entries.ts";

const MAX_SHOWN = 60;
const NONE: readonly never[] = [];

export function Palette() {
  const open = useSession((s) => s.view.dialog === "palette");
  const session = useSessionObject();
  return (
    <Dialog open={open} onClose={() => session.actions.view.set({ dialog: null })} title="Go to, or run a command" bare>
      <PaletteBody />
    </Dialog>
  );
}

/** Everything that can be found, in the order in which it is listed. */
function useEntries(): readonly Entry[] {
  const session = useSessionObject();
  // Of an earlier program, which is hidden, nothing is found.
  const phases = useSession((s) => (selectEarlierRun(s) ? NONE : selectPhases(s)));
  const moment = useSession(selectOwnMoment);
  const structures = useSession((s) => (selectEarlier(s) ? null : s.position.trace?.structures) ?? NONE);
  const kernels = useSession((s) => ((s.document.good?.revision ?? 0) < s.document.since ? NONE : selectKernels(s)));
  const kernelNames = useMemo(() => (kernels.length < 2 ? [] : kernels.filter((k) => k.state !== "wrong").map((k) => k.name)), [kernels]);
  const short = useShortNames(kernelNames);
  const [programs, setPrograms] = useState<readonly PaletteEntry[]>([]);
  useEffect(() => {
    let shown = true;
    void programEntries(session).then((programs) => shown && setPrograms(programs));
    return () => {
      shown = false;
    };
  }, [session]);
  return useMemo(
    () => [
      ...commandEntries(session),
      ...placeEntries(session),
      ...phaseEntries(phases, session),
      ...structureEntries(structures, session),
      ...kernelEntries(kernelNames, short, session),
      ...blockEntries(moment, session),
      ...programs,
    ],
    [phases, moment, structures, kernelNames, short, programs, session],
  );
}

function PaletteBody() {
  const session = useSessionObject();
  const entries = useEntries();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useMemo(() => ranked(entries, query), [entries, query]);
  const shown = [...stepEntry(query, session), ...found].slice(0, MAX_SHOWN);
  const choose = ({ enabled = true, run }: Entry): void => {
    if (!enabled) return;
    session.actions.view.set({ dialog: null });
    run();
  };

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const at = Math.min(active, shown.length - 1);
  return (
    <>
      <input
        className={cx(styles.input, "large")}
        role="combobox"
        aria-label="Command, phase, example, lab, kernel, block or step number"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder="A command, phase, example, lab, block, or step number"
        // biome-ignore lint/a11y/noAutofocus: a palette is opened to type in it
        autoFocus
        value={query}
        spellCheck={false}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
          if (by !== undefined && shown.length > 0) {
            event.preventDefault();
            setActive(Math.max(0, Math.min(shown.length - 1, at + by)));
          } else if (event.key === "Enter") {
            event.preventDefault();
            const entry = shown[at];
            if (entry !== undefined) choose(entry);
          }
        }}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found" className={styles.list}>
        {shown.map((entry, index) => (
          <Row
            gap={2}
            pad={[0, 3]}
            key={entry.id}
            id={`${id}-${index}`}
            data-handbook={entry.page}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-disabled={entry.enabled === false || undefined}
            className={styles.option}
            onClick={() => choose(entry)}
            onPointerMove={() => setActive(index)}
          >
            <span className={cx(styles.group, "rigid small muted")}>{entry.group}</span>
            <span className="ellipsis grow">{entry.title}</span>
            {entry.keys === undefined ? null : <Kbd keys={entry.keys} />}
          </Row>
        ))}
      </div>
      {shown.length === 0 ? (
        <p className="pad muted">{absentPass(query) ?? "Nothing matches. Try fewer words, or the name of a phase."}</p>
      ) : null}
    </>
  );
}

/** What a search of the palette finds, the best first. Pure. */
interface Searched {
  readonly group: string;
  readonly title: string;
  /** Its name, if the title contains more. */
  readonly name?: string;
  /** Words and phrases, with commas between them. */
  readonly found?: string;
  readonly enabled?: boolean;
}

/** Programs have titles of all kinds, so a title that begins like the search is less significant. */
const PROGRAMS: ReadonlySet<string> = new Set(["Example", "Block", "Kernel"]);

/**
 * All words must be there. First what the search names exactly, then titles that begin with it, and all of a group that is called so; then those
 * with a word that begins with it, in the title or elsewhere. What cannot be chosen now is last among equals. Otherwise the order of the list stays.
 */
export function ranked<T extends Searched>(entries: readonly T[], query: string): readonly T[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return entries;
  const scored = entries.flatMap((entry) => {
    const all = `${entry.group} ${entry.title} ${entry.found ?? ""}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ entry, rank: 2 * rankOf(entry, text) + (entry.enabled === false ? 1 : 0) }];
  });
  return scored.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

function rankOf({ group, title, name = title, found = "" }: Searched, text: string): number {
  const shown = title.toLowerCase();
  const phrases = found.toLowerCase().split(/,\s*/);
  if (name.toLowerCase() === text) return 0;
  if (phrases.includes(text)) return 1;
  if (isCalled(group, text) || (shown.startsWith(text) && !PROGRAMS.has(group))) return 2;
  if (hasWord(shown, text)) return 3;
  return hasWord(found.toLowerCase(), text) ? 4 : 5;
}

/** In the singular or the plural. */
const isCalled = (group: string, text: string): boolean => text === group.toLowerCase() || text === `${group.toLowerCase()}s`;

const hasWord = (text: string, start: string): boolean =>
  text.startsWith(start) || text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start));
