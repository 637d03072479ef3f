/** One menu for all steps and phases: by a right press, a long touch, Shift+F10 or the menu key, wherever a part of the page is marked for it. */

import { useEffect, useState } from "react";
import { plainName } from "../../../../app/names/phases.ts";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectPhase } from "../../../../app/session/selectors.ts";
import { messageOf } from "../../../../app/ui/failure.ts";
import { type MenuTarget, placeOf, targetOf } from "./target.ts";

type PopupComponent = typeof import("./step-menu-popup.tsx").StepMenuPopup;

export function StepMenu() {
  const session = useSessionObject();
  const [target, setTarget] = useState<MenuTarget | null>(null);
  const [Popup, setPopup] = useState<PopupComponent | null>(null);
  const label = useSession((s) => {
    const { step } = s.position;
    const open = selectPhase(s);
    const phase = open === null ? "" : plainName(open);
    return target?.area === "phase" ? phase : `${phase}, ${step < 0 ? "input" : `step ${step + 1}`}`;
  });

  useEffect(() => {
    const open = (element: Element, x: number, y: number, pointed: boolean): boolean => {
      const found = targetOf(element, x, y, pointed, session.store.getState());
      if (found === null) return false;
      const { position, run } = session.store.getState();
      // The menu of a phase is about the open one: a click opens it first. Positions that are not modelled have no menu.
      if (found.run !== null && found.run !== position.run) {
        if (run.result?.phases[found.run]?.modelled !== true) return false;
        session.actions.position.goTo(found.run, "start");
      }
      // Loaded when a menu first opens.
      import("./step-menu-popup.tsx").then(
        ({ StepMenuPopup }) => {
          setPopup(() => StepMenuPopup);
          setTarget(found);
        },
        (error: unknown) => session.actions.notify("error", `The menu could not be loaded: ${messageOf(error)}`),
      );
      return true;
    };
    const pressed = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.shiftKey) return;
      if (open(event.target, event.clientX, event.clientY, true)) event.preventDefault();
    };
    const keyed = (event: KeyboardEvent): void => {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      if (!(event.target instanceof Element) || event.defaultPrevented) return;
      const [x, y] = placeOf(event.target);
      if (open(event.target, x, y, false)) event.preventDefault();
    };
    document.addEventListener("contextmenu", pressed);
    document.addEventListener("keydown", keyed);
    return () => {
      document.removeEventListener("contextmenu", pressed);
      document.removeEventListener("keydown", keyed);
    };
  }, [session]);

  return Popup === null ? null : <Popup target={target} label={label} onClose={() => setTarget(null)} />;
}
