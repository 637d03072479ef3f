/**
 * What controls are made of where there is room and time for more than the browser's own: tooltips with keys, menus at hand. The page brings both; a
 * frame in another page does without, shows its picture sooner, and loads a menu when it is first opened.
 */

import { type ComponentType, createContext } from "react";
import type { MenuButtonProps } from "./menu-button.tsx";
import type { TipProps } from "./tooltip.tsx";

export interface Controls {
  readonly Tip: ComponentType<TipProps>;
  readonly MenuButton: ComponentType<MenuButtonProps>;
}

export const ControlsContext = createContext<Controls | null>(null);
