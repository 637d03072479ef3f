/**
 * The parts of controls beyond the browser's own: tooltips with keys, preloaded menus. The page supplies both; a
 * frame in another page does without, appears sooner, and loads a menu when it is first opened.
 */

import { type ComponentType, createContext } from "react";
import type { MenuButtonProps } from "./menu-button.tsx";
import type { TipProps } from "./tooltip.tsx";

export interface Controls {
  readonly Tip: ComponentType<TipProps>;
  readonly MenuButton: ComponentType<MenuButtonProps>;
}

export const ControlsContext = createContext<Controls | null>(null);
