/** What the palette lists: commands, places, and what the open program has. */

import { numberedName } from "../names/phase-status.ts";
import { plainName, searchNames } from "../names/phases.ts";
import { searchStructure, structureName } from "../names/structures.ts";
import type { PaletteEntry } from "../session/feature.ts";
import { placesOf } from "../session/places.ts";
import type { selectMoment, selectPhases } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";

export interface Entry extends Omit<PaletteEntry, "found"> {
  readonly found?: string;
  /** Its name, if the title contains more. */
  readonly name?: string;
  /** Its page of the handbook, for F1. */
  readonly page?: string;
  readonly keys?: string | undefined;
  /** Left out: it can be chosen. */
  readonly enabled?: boolean;
}

export function commandEntries(session: Session): readonly Entry[] {
  const state = session.store.getState();
  return session.commands
    .filter(({ id }) => id !== "view.palette")
    .map((command) => ({
      id: command.id,
      group: "Command",
      title: command.title,
      found: wordsFor(command.id),
      keys: command.keys[0],
      enabled: command.enabled(state),
      run: () => command.run(session),
    }));
}

export function placeEntries({ features, actions }: Session): readonly Entry[] {
  return placesOf(features).map(({ name, title, about }) => ({
    id: `place:${name}`,
    group: "Open",
    title,
    found: about,
    run: () => actions.view.open(name),
  }));
}

/** Those that are modelled first. */
export function phaseEntries(phases: ReturnType<typeof selectPhases>, { actions }: Session): readonly Entry[] {
  return [...phases]
    .sort((a, b) => Number(b.modelled) - Number(a.modelled))
    .map((phase) => {
      const said = phase.changed ? "" : phase.ran ? " — no change" : phase.modelled ? " — did not run" : " — not modelled";
      const plain = plainName(phase);
      return {
        id: `phase:${phase.run}`,
        group: "Phase",
        title: `${numberedName(phase, plain === phase.name ? phase.name : `${plain} · ${phase.name}`)}${said}`,
        name: plain,
        found: searchNames(phase),
        page: `phase:${phase.id}`,
        run: () => actions.position.goTo(phase.run, "start"),
      };
    });
}

export function structureEntries(
  structures: readonly { readonly name: string; readonly title: string }[],
  { actions }: Session,
): readonly Entry[] {
  return structures.map((structure) => ({
    id: `structure:${structure.name}`,
    group: "Structure",
    title: structureName(structure).plain,
    found: searchStructure(structure),
    page: `structure:${structure.name}`,
    run: () => {
      actions.view.set({ structure: structure.name });
      actions.view.open("structures");
    },
  }));
}

export function kernelEntries(names: readonly string[], short: ReadonlyMap<string, string>, { actions }: Session): readonly Entry[] {
  return names.map((name) => ({
    id: `kernel:${name}`,
    group: "Kernel",
    title: short.get(name) ?? name,
    found: name,
    run: () => actions.run.setKernel(name),
  }));
}

export function blockEntries(moment: ReturnType<typeof selectMoment>, { actions }: Session): readonly Entry[] {
  return [...(moment?.blocks.values() ?? [])].map(({ id, label }) => ({
    id: `block:${id}`,
    group: "Block",
    title: label,
    run: () => actions.selection.select({ kind: "block", id }),
  }));
}

/** A number is a step of the open phase. */
export function stepEntry(query: string, { store, actions }: Session): readonly Entry[] {
  const step = /^:?(\d+)$/.exec(query.trim())?.[1];
  if (step === undefined) return [];
  const to = Number(step);
  return [
    {
      id: "step",
      group: "Step",
      title: `Go to step ${to} of this phase`,
      enabled: store.getState().position.trace !== null,
      run: () => actions.position.seek(to),
    },
  ];
}

/** Synonyms: what users type in the palette for a command with a different title. */
const ALSO: Readonly<Record<string, string>> = {
  "file.examples": "examples, gallery, samples, programs, kernels, demo, labs",
  "file.new": "paste, empty, blank, clear the text",
  "file.open": "open, upload, import, load",
  "file.save": "save, store, write",
  "file.recent": "history, restore, earlier programs",
  "file.copy-link": "share, url, address",
  "file.embed": "iframe, share, slides",
  "export.html-phase": "print, paper, pdf, save page, handout",
  "export.html-pipeline": "print, paper, pdf, save page, handout",
  "export.dot": "graphviz, picture, image",
  "export.mermaid": "picture, diagram, image",
  "graph.png": "picture, image, screenshot",
  "graph.svg": "picture, image, vector graphics",
  "graph.search": "search, find, find a block",
  "graph.fit": "fit, overview, reset the view",
  "graph.zoom-in": "bigger, larger, enlarge",
  "graph.zoom-out": "smaller",
  "graph.minimap": "map, overview, list of blocks",
  "graph.columns-automatic": "fold, newspaper",
  "graph.columns-always": "fold",
  "graph.columns-never": "unfold",
  "view.diff": "diff, difference, changes, compare texts",
  "layout.study": "normal, default layout, reset the layout",
  "layout.present": "projector, slides, lecture, fullscreen, large letters, font size",
  "breakpoints.edit": "watch, conditions, watchpoints",
  "breakpoints.clear": "delete breakpoints",
  "future.what-if": "experiment, alternative, try",
  "future.remove": "delete the future",
  "future.clear": "delete futures, clean up",
  "future.leave-out": "leave out, disable, omit",
  "future.insert": "repeat, run again",
  "future.another-value": "set, option, threshold, parameter",
  "pass.close": "delete the pass",
  "pass.write": "own pass, plug-in, plugin, typescript, custom optimization, script",
  "lab.ask": "question, quiz, exercise, task, exam, predict",
  "lab.write": "question, quiz, exercise, course, homework, assignment",
  "policy.notes": "policy, as documented, rules of the reference",
  "policy.measured": "policy, as measured, ptxas 13",
  "run.again": "rerun, refresh, start again",
  "run.check": "prove, correctness, equivalence, verify meaning",
  "engine.restart": "reset, cancel, hang, stuck",
  "help.tour": "tutorial, introduction, help, getting started",
  "help.handbook": "help, documentation, manual, glossary, terms",
  "help.shortcuts": "keys, key bindings, hotkeys",
  "help.about": "license, licence, version, credits",
  "overlay.dominators": "dominators, idom",
  "overlay.heat": "coverage, profile, counts",
  "overlay.liveness": "registers, live, dead",
  "overlay.divergence": "warp, lanes, uniform",
  "theme.dark": "night, black",
};

export const wordsFor = (command: string): string => ALSO[command] ?? "";

/** Commands that have words of this list, for its test. */
export const NAMED: readonly string[] = Object.keys(ALSO);
