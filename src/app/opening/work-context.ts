/** React context of the saved works. */

import { createContext, useContext } from "react";
import type { Opening } from "./startup.ts";

const WorkContext = createContext<Opening | null>(null);

export const WorkProvider = WorkContext.Provider;

export function useWork(): Opening {
  const work = useContext(WorkContext);
  if (work === null) throw new Error("useWork outside of WorkProvider");
  return work;
}
