/** The palette: every command, every phase, every kernel, block and step, by typing a part of its name. */

import { useEffect, useId, useMemo, useRef, useState } from "react";
import { absentPass } from "../names/absent-passes.ts";
import { numberedName } from "../names/phase-status.ts";
import { plainName, searchNames } from "../names/phases.ts";
import { searchStructure, structureName } from "../names/structures.ts";
import type { PaletteEntry } from "../session/feature.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { placesOf } from "../session/places.ts";
import { selectKernels, selectMoment, selectPhases } from "../session/selectors.ts";
import { useShortNames } from "../session/use-short-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Row } from "../ui/layout.tsx";
import { wordsFor } from "./also.ts";
import styles from "./palette.module.css";
import { ranked } from "./rank.ts";

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** What else a search finds it by. */
  readonly found?: string;
  /** Its page of the handbook, for F1. */
  readonly page?: string;
  readonly keys: string | undefined;
  readonly enabled: boolean;
  readonly run: () => void;
}

const MAX_SHOWN = 60;
const NO_STRUCTURES: readonly never[] = [];
const NO_PROGRAMS: readonly PaletteEntry[] = [];

export function Palette() {
  const open = useSession((s) => s.view.dialog === "palette");
  const session = useSessionObject();
  return (
    <Dialog open={open} onClose={() => session.actions.view.set({ dialog: null })} title="Go to, or run a command" bare>
      <PaletteBody />
    </Dialog>
  );
}

function PaletteBody() {
  const session = useSessionObject();
  const { actions } = session;
  const state = useSession((s) => s);
  const phases = selectPhases(state);
  const moment = selectMoment(state);
  const kernels = selectKernels(state);
  const kernelNames = useMemo(() => (kernels.length < 2 ? [] : kernels.filter((k) => k.state !== "wrong").map((k) => k.name)), [kernels]);
  const short = useShortNames(kernelNames);
  const structures = state.position.trace?.structures ?? NO_STRUCTURES;
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const [programs, setPrograms] = useState<readonly PaletteEntry[]>(NO_PROGRAMS);
  useEffect(() => {
    let shown = true;
    // Without them the palette still has everything else; the gallery shows why they are missing.
    Promise.all(session.features.map((feature) => feature.palette?.(session) ?? []))
      .then((found) => shown && setPrograms(found.flat()))
      .catch(() => undefined);
    return () => {
      shown = false;
    };
  }, [session]);
  const id = useId();

  const entries = useMemo((): readonly Entry[] => {
    const close = (run: () => void) => () => {
      actions.view.set({ dialog: null });
      run();
    };
    const commands = session.commands
      .filter((c) => c.id !== "view.palette")
      .map(
        (c): Entry => ({
          id: c.id,
          group: "Command",
          title: c.title,
          found: wordsFor(c.id),
          keys: c.keys[0],
          enabled: c.enabled(session.store.getState()),
          run: close(() => c.run(session)),
        }),
      );
    const toPhases = [...phases]
      .sort((a, b) => Number(b.modelled) - Number(a.modelled))
      .map((p): Entry => {
        const said = p.changed ? "" : p.ran ? " — no change" : p.modelled ? " — did not run" : " — not modelled";
        const plain = plainName(p);
        const title = `${numberedName(p, plain === p.name ? p.name : `${plain} · ${p.name}`)}${said}`;
        return {
          id: `phase:${p.run}`,
          group: "Phase",
          title,
          found: searchNames(p),
          page: `phase:${p.id}`,
          keys: undefined,
          enabled: true,
          run: close(() => actions.position.goTo(p.run, "start")),
        };
      });
    const toBlocks = [...(moment?.blocks.values() ?? [])].map((b): Entry => {
      const run = close(() => actions.selection.select({ kind: "block", id: b.id }));
      return { id: `block:${b.id}`, group: "Block", title: b.label, keys: undefined, enabled: true, run };
    });
    const toKernels = kernelNames.map((name): Entry => {
      const run = close(() => actions.run.setKernel(name));
      return { id: `kernel:${name}`, group: "Kernel", title: short.get(name) ?? name, found: name, keys: undefined, enabled: true, run };
    });
    const toPlaces = placesOf(session.features).map(({ name, title, about: found }): Entry => {
      const run = close(() => actions.view.open(name));
      return { id: `place:${name}`, group: "Open", title, found, keys: undefined, enabled: true, run };
    });
    const toStructures = structures.map((s): Entry => {
      const run = close(() => {
        actions.view.set({ structure: s.name });
        actions.view.open("structures");
      });
      const title = structureName(s).plain;
      const page = `structure:${s.name}`;
      return { id: page, group: "Structure", title, found: searchStructure(s), page, keys: undefined, enabled: true, run };
    });
    const toPrograms = programs.map((p): Entry => ({ ...p, keys: undefined, enabled: true, run: close(p.run) }));
    return [...commands, ...toPlaces, ...toPhases, ...toStructures, ...toKernels, ...toBlocks, ...toPrograms];
  }, [phases, moment, structures, kernelNames, short, programs, session, actions]);

  const shown = useMemo((): readonly Entry[] => {
    const text = query.trim().toLowerCase();
    const step = /^:?(\d+)$/.exec(text);
    const found: Entry[] = [];
    if (step) {
      const to = Number(step[1]);
      const run = () => {
        actions.view.set({ dialog: null });
        actions.position.seek(to);
      };
      found.push({
        id: "step",
        group: "Step",
        title: `Go to step ${to} of this phase`,
        keys: undefined,
        enabled: state.position.trace !== null,
        run,
      });
    }
    found.push(...ranked(entries, text));
    return found.slice(0, MAX_SHOWN);
  }, [entries, query, actions, state.position.trace]);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const at = Math.min(active, shown.length - 1);
  return (
    <>
      <input
        className={styles.input}
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
            if (entry?.enabled === true) entry.run();
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
            aria-disabled={!entry.enabled || undefined}
            className={styles.option}
            onClick={() => {
              if (entry.enabled) entry.run();
            }}
            onPointerMove={() => setActive(index)}
          >
            <span className={styles.group}>{entry.group}</span>
            <span className="ellipsis grow">{entry.title}</span>
            {entry.keys === undefined ? null : <Kbd keys={entry.keys} />}
          </Row>
        ))}
      </div>
      {shown.length === 0 ? (
        <p className={styles.none}>{absentPass(query) ?? "Nothing matches. Try fewer words, or the name of a phase."}</p>
      ) : null}
    </>
  );
}
