/** The tab of the inspector; what it draws comes when it is opened. */

import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const RUN: Inspector = {
  id: "run",
  title: "Run",
  about: "execute, arguments, memory, compare before and after, divergence",
  dock: "top",
  relevant: (s) => s.position.moment !== null,
  component: late(async () => (await import("./run.tsx")).Run),
};
