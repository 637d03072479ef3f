/** What the palette lists: commands, places, and what the open program has. */

import { numberedName } from "../names/phase-status.ts";
import { plainName, searchNames } from "../names/phases.ts";
import { searchStructure, structureName } from "../names/structures.ts";
import type { PaletteEntry } from "../session/feature.ts";
import { placesOf } from "../session/places.ts";
import { selectEarlier } from "../session/provenance.ts";
import type { selectMoment, selectPhases } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";

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
      found: command.found ?? "",
      keys: command.keys[0],
      enabled: command.enabled(state),
      run: () => command.run(session),
    }));
}

/** What features add. A list that cannot be loaded is empty, and reported. */
export async function programEntries(session: Session): Promise<readonly PaletteEntry[]> {
  const lists = session.features.map(({ palette }) =>
    palette?.(session).catch((error: unknown) => {
      session.actions.notify("warning", `Some entries of the palette could not be loaded: ${messageOf(error)}`);
      return [];
    }),
  );
  return (await Promise.all(lists)).flatMap((list) => list ?? []);
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

/** A number is a step of the open phase, counted from 1 as it is shown. */
export function stepEntry(query: string, { store, actions }: Session): readonly Entry[] {
  const step = /^:?(\d+)$/.exec(query.trim())?.[1];
  if (step === undefined || selectEarlier(store.getState())) return [];
  const number = Number(step);
  const steps = store.getState().position.trace?.steps ?? 0;
  return [
    {
      id: "step",
      group: "Step",
      title: `Go to step ${number} of ${steps} in this phase`,
      enabled: number >= 1 && number <= steps,
      run: () => actions.position.seek(number - 1),
    },
  ];
}
