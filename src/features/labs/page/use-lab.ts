/** React's way to the state of the open lab. */

import { useSession } from "../../../app/session/hooks.ts";
import type { LabState } from "./lab-model.ts";

/** Renders again when the selector returns a different value. */
export function useLab<T>(selector: (lab: LabState) => T): T {
  return useSession((s) => selector(s.openLab));
}
