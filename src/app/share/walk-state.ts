/**
 * Where Back and Forward are in the programs that were opened, as one state machine: its states, its events, and the pure function from one
 * state to the next. `walk.ts` listens, opens what is gone to, and writes the history.
 */

/** `at`: the entry of the program that is open. */
export type Walk =
  /** Nothing was opened yet: the first program gets the current entry. */
  | { readonly kind: "start"; readonly at: number }
  | { readonly kind: "there"; readonly at: number }
  /** The address is already the link of `to`; the page opens it like any other link. */
  | { readonly kind: "link"; readonly at: number; readonly to: number }
  /** `entry` is being opened. Back or Forward may be pressed again meanwhile: then `to` is opened next, by us or by its link. */
  | { readonly kind: "opening"; readonly at: number; readonly entry: number; readonly to: number; readonly link: boolean };

export type WalkEvent =
  /** Back or Forward. `link`: another link is in the address. */
  | { readonly kind: "go"; readonly to: number; readonly link: boolean }
  /** Another program took the place of the open one. */
  | { readonly kind: "shown" }
  /** The entry that was being opened is there, or cannot be had. */
  | { readonly kind: "ended" };

/** The state after `event`; the very same object where nothing changes. */
export function nextWalk(walk: Walk, event: WalkEvent): Walk {
  switch (event.kind) {
    case "go":
      if (walk.kind === "opening") return { ...walk, to: event.to, link: event.link };
      return event.to === walk.at ? walk : gone(walk.at, event.to, event.link);
    case "shown":
      return shown(walk);
    case "ended":
      if (walk.kind !== "opening") return walk;
      return walk.to === walk.entry ? { kind: "there", at: walk.to } : gone(walk.at, walk.to, walk.link);
  }
}

const gone = (at: number, to: number, link: boolean): Walk =>
  link ? { kind: "link", at, to } : { kind: "opening", at, entry: to, to, link };

function shown(walk: Walk): Walk {
  switch (walk.kind) {
    case "start":
      return { kind: "there", at: walk.at };
    case "there":
      return { kind: "there", at: walk.at + 1 };
    case "link":
      return { kind: "there", at: walk.to };
    case "opening":
      return { ...walk, at: walk.entry };
  }
}
