import { expect, it } from "vitest";
import { CORE } from "../../../app/core.ts";
import { examplesOf } from "../../../app/session/example.ts";
import { commandsOf } from "../../../app/session/feature.ts";
import { placeNamed } from "../../../app/session/places.ts";
import { FEATURES } from "../../page.ts";
import { taskParts } from "./task-links.ts";

const EXAMPLES = examplesOf({ features: FEATURES });

const COMMANDS = commandsOf([...CORE, ...FEATURES]);

it("makes links of the controls that a task names, and keeps every word", () => {
  const parts = taskParts("Set knob 135 to 12, take target sm_70, and see Why.");
  expect(parts.filter((p) => p.target !== null)).toEqual([
    { text: "knob 135", target: { kind: "inspector", id: "knobs" } },
    { text: "target sm_70", target: { kind: "target", value: "sm_70" } },
    { text: "Why", target: { kind: "inspector", id: "why" } },
  ]);
});

it("leads only to what there is, in every example", () => {
  for (const { look } of EXAMPLES) {
    const parts = taskParts(look);
    expect(parts.map((p) => p.text).join("")).toBe(look);
    for (const { target } of parts) {
      if (target?.kind === "inspector") expect(placeNamed([...CORE, ...FEATURES], target.id)).not.toBeNull();
      if (target?.kind === "example") expect(EXAMPLES.map((e) => e.title)).toContain(target.title);
      if (target?.kind === "command") expect(COMMANDS.map((c) => c.id)).toContain(target.id);
    }
  }
});
