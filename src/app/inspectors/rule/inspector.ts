import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const RULE: Inspector = {
  id: "rule",
  title: "Rule",
  about: "the rule of the current step: its conditions, its documentation, its source code",
  dock: "bottom",
  relevant: (s) => s.position.moment?.event != null,
  component: late(async () => (await import("./rule.tsx")).RuleInspector),
};
