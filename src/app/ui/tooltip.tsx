/** Tooltips: a name and a shortcut for a control. They never contain what can't be found elsewhere. */

import { cloneElement, type ReactElement, type ReactNode, useContext } from "react";
import { ControlsContext } from "./controls.ts";

export interface TipProps {
  readonly text: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactElement<Record<string, unknown>>;
}

/** In a frame the browser's own tooltip: it may be larger than the frame. */
export function Tip(props: TipProps) {
  const controls = useContext(ControlsContext);
  if (controls !== null) return <controls.Tip {...props} />;
  return typeof props.text === "string" ? cloneElement(props.children, { title: props.text }) : props.children;
}
