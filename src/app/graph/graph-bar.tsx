/** The graph's bar: overlay, search, zoom, and a menu of everything else. All of it is commands. */

import type { Command } from "../session/command.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { LargeButton } from "../session/large-button.tsx";
import { OVERLAYS, type Overlay } from "../session/state.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import type { IconName } from "../ui/icons.tsx";
import { Toolbar } from "../ui/layout.tsx";
import { MenuButton, type MenuEntry } from "../ui/menu-button.tsx";
import { Select } from "../ui/select.tsx";
import { useWidth } from "../ui/use-width.ts";
import { ViewButtons } from "../ui/view-buttons.tsx";
import { GRAPH_COMMANDS } from "./commands.ts";
import styles from "./graph-pane.module.css";
import type { GraphMode } from "./graph-view.ts";
import { hasViolation } from "./node/flags.ts";
import { type Search, SearchBar } from "./search-bar.tsx";

const OVERLAY_TITLES: Readonly<Record<Overlay, string>> = {
  none: "no overlay",
  dominators: "dominator tree",
  "post-dominators": "post-dominator tree",
  loops: "loops",
  liveness: "liveness",
  divergence: "divergence",
  heat: "execution heat",
  weights: "profile weights",
  values: "value numbers",
};

/** Commands of the menu in groups; a line between two groups. */
const GROUPS: readonly (readonly string[])[] = [
  ["view-all", "view-now", "view-sides", "compare"],
  ["columns-automatic", "columns-never", "columns-always"],
  ["collapse-loop", "open-loop", "collapse-loops", "lines", "open-all"],
  ["near-0", "near-1", "near-2", "near-4"],
  ["reveal", "follow", "minimap"],
  ["svg", "png"],
  ["search", "zoom-in", "zoom-out"],
];

const byId = new Map(GRAPH_COMMANDS.map((c) => [c.id, c]));
const commandOf = (id: string): Command | undefined => byId.get(`graph.${id}`);

export function GraphBar({ search }: { readonly search: Search }) {
  const session = useSessionObject();
  const { view } = useActions();
  const overlay = useSession((s) => s.view.overlay);
  const featureOverlays = session.features.flatMap(({ graphOverlay: o }) => (o === undefined ? [] : [{ value: o.id, title: o.title }]));
  const violation = useSession((s) => hasViolation(s.position.moment?.funcFlags ?? 0));
  // The comparison itself names what is shown.
  const compared = useSession((s) => s.graph.mode === "pair");
  const searching = useSession((s) => s.graph.search.open);
  const embed = useSession((s) => s.view.embed);
  const phone = useWidth() === "phone";
  const tight = phone && embed;
  const entries = (): readonly MenuEntry[] =>
    GROUPS.flatMap((group, index): readonly MenuEntry[] => [
      ...(index === 0 ? [] : [{ kind: "separator", id: `group-${index}` } as const]),
      ...group.flatMap((id): readonly MenuEntry[] => {
        const command = commandOf(id);
        if (command === undefined) return [];
        const state = session.store.getState();
        const { title, keys } = command;
        const checked = command.checked?.(state);
        return [{ kind: "item", id, title, keys: keys[0], disabled: !command.enabled(state), checked, run: () => command.run(session) }];
      }),
      ...(index < GROUPS.length - 1
        ? []
        : [
            {
              kind: "item",
              id: "outline",
              title: "Text outline",
              keys: "Mod+Shift+O",
              run: () => view.set({ centre: "outline" }),
            } as const,
          ]),
    ]);
  return (
    <Toolbar raised={!tight} gap={1} className={tight ? styles.tight : styles.bar} role="toolbar" aria-label="Graph">
      {tight ? null : (
        <>
          {/* On a phone overlays are found by the palette, like all that has no button. */}
          {phone ? null : (
            <Select
              quiet
              label="Overlay"
              hideLabel
              title="What to draw over the graph"
              value={overlay}
              options={[...OVERLAYS.map((o) => ({ value: o, title: OVERLAY_TITLES[o] })), ...featureOverlays]}
              onChange={(value) => view.set({ overlay: value })}
            />
          )}
          {compared ? null : <Modes />}
        </>
      )}
      {violation ? (
        <Badge tone="error" title="The target of a retreating edge does not dominate its source, so loop-sensitive phases do nothing.">
          ⚠ RPO violation
        </Badge>
      ) : null}
      {searching ? <SearchBar search={search} /> : null}
      <span className="grow" />
      <CommandIcon id="fit" icon="fit" />
      {phone ? null : <CommandIcon id="meanings" icon="question" />}
      <MenuButton trigger={<Button variant="quiet">Graph ▾</Button>} entries={entries} />
      <LargeButton pane="graph" />
    </Toolbar>
  );
}

const MODES: readonly (readonly [mode: GraphMode, name: string, title: string])[] = [
  ["all", "All", "Everything that exists at any step of this phase, so that nothing moves while you step"],
  ["now", "Now", "Only what exists at this step"],
  ["sides", "Before | After", "The phase's input and result, side by side"],
];

function Modes() {
  const { patch } = useSessionObject();
  const mode = useSession((s) => s.graph.mode);
  return <ViewButtons label="What the graph shows" views={MODES} shown={mode} onShow={(view) => patch("graph", { mode: view })} />;
}

function CommandIcon({ id, icon }: { readonly id: string; readonly icon: IconName }) {
  const session = useSessionObject();
  const command = commandOf(id);
  const checked = useSession((s) => command?.checked?.(s));
  if (command === undefined) return null;
  return (
    <IconButton icon={icon} label={command.title} keys={command.keys[0]} aria-pressed={checked} onClick={() => command.run(session)} />
  );
}
