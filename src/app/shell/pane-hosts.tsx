/**
 * Panes that survive a new arrangement of the window: each is rendered into its own element, and an arrangement
 * says where those elements hang. So another arrangement keeps the editor's undo, the graph's view and what was scrolled to.
 */

import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Pane } from "../session/state.ts";
import styles from "./shell.module.css";

/** What a feature shows next to the tool is also rendered once. */
export type Hosted = Pane | "beside";

const Hosts = createContext<Readonly<Record<Hosted, HTMLElement>> | null>(null);

interface PaneHostsProps {
  /** Panes that some slot shows now. */
  readonly shown: readonly Hosted[];
  readonly render: (pane: Hosted) => ReactNode;
  readonly children: ReactNode;
}

export function PaneHosts({ shown, render, children }: PaneHostsProps) {
  const [hosts] = useState(() => ({ editor: newHost(), graph: newHost(), inspectors: newHost(), beside: newHost() }));
  const [begun, setBegun] = useState(shown);
  if (shown.some((pane) => !begun.includes(pane))) setBegun([...new Set([...begun, ...shown])]);
  // The editor and the graph stay once they exist; inspectors have nothing to lose, and cost a little at every step; a pane closed next to the tool is removed.
  const rendered = begun.filter((pane) => pane === "editor" || pane === "graph" || shown.includes(pane));
  return (
    <Hosts.Provider value={hosts}>
      {children}
      {rendered.map((pane) => createPortal(render(pane), hosts[pane], pane))}
    </Hosts.Provider>
  );
}

function newHost(): HTMLElement {
  const host = document.createElement("div");
  host.className = styles.host ?? "";
  return host;
}

/** The place of a pane in an arrangement. */
export function Slot({ pane }: { readonly pane: Hosted }) {
  const host = useContext(Hosts)?.[pane] ?? null;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host === null) return;
    place.current?.append(host);
    return () => host.remove();
  }, [host]);
  return <div ref={place} className={styles.slot} />;
}
