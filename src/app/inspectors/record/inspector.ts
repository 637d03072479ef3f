import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const RECORD: Inspector = {
  id: "record",
  title: "Record",
  about: "fields of a block and of the function, flags, RPO, dominators",
  dock: "bottom",
  relevant: (s) => s.position.moment !== null,
  component: late(async () => (await import("./record.tsx")).RecordInspector),
};
