/** The palette finds what people type, and puts what they mean first. */

import { describe, expect, it } from "vitest";
import { FEATURES } from "../features/page.ts";
import { ranked } from "./commands/palette.tsx";
import { phaseEntries } from "./commands/palette-entries.ts";
import { CORE } from "./core.ts";
import { examplesOf } from "./session/example.ts";
import { commandsOf } from "./session/feature.ts";
import { placesOf } from "./session/places.ts";

const COMMANDS = commandsOf([...CORE, ...FEATURES]);

const LABS = [
  { id: "lab:cfg-1", group: "Lab", title: "Blocks, edges, orders", found: "course, quiz, exercise" },
  { id: "lab:switches", group: "Lab", title: "Switches", found: "course, quiz, exercise" },
];
/** In the order of the pipeline, where 31 is called if-conversion, too. */
const PHASES = [
  { id: "branch-opt", name: "OriBranchOpt", phase: 15 },
  { id: "ori-linear-replacement", name: "OriLinearReplacement", phase: 31 },
  { id: "gvn-cse", name: "GvnCse", phase: 49 },
  { id: "ori-do-predication", name: "OriDoPredication", phase: 63 },
].map((phase) => ({ ...phase, run: phase.id, modelled: true, ran: true, changed: false }));
const ENTRIES = [
  ...COMMANDS.map((c) => ({ id: c.id, group: "Command", title: c.title, found: c.found ?? "" })),
  ...placesOf([...CORE, ...FEATURES]).map((p) => ({ id: `place:${p.name}`, group: "Open", title: p.title, found: p.about })),
  ...phaseEntries(PHASES as never, { actions: {} } as never),
  ...LABS,
  ...examplesOf({ features: FEATURES }).map((e) => ({
    id: `example:${e.id}`,
    group: "Example",
    title: e.title,
    found: `examples, ${e.group}, ${e.about}`,
  })),
];
const first = (query: string): string => ranked(ENTRIES, query)[0]?.id ?? "nothing";

describe("the palette", () => {
  it.each([
    ["switches", "place:switches"],
    ["diff", "view.diff"],
    ["policy", /^policy\./],
    ["delete", /remove|clear|delete|close/],
    ["print", /^export\.html/],
    ["quiz", /^lab/],
    ["question", /^lab\./],
    ["examples", "file.examples"],
    ["knobs", "place:knobs"],
    ["tutorial", "help.tour"],
    ["lab", "lab:cfg-1"],
    ["labs", /^(lab:cfg-1|file\.examples)$/],
    ["save", "file.save"],
    ["open", "file.open"],
    ["upload", "file.open"],
    ["find", /^graph\.search$/],
    ["search", "graph.search"],
    ["loop", /^(graph|overlay)\./],
    ["loop nest", /^example:/],
    ["fit", "graph.fit"],
    ["fold", "graph.columns-automatic"],
    ["keys", "help.shortcuts"],
    ["licence", "help.about"],
    ["dominators", "overlay.dominators"],
    ["coverage", "overlay.heat"],
    ["registers", "overlay.liveness"],
    ["projector", "layout.present"],
    ["fuel", "place:fuel"],
    ["run", "place:run"],
    ["gvn", /^phase:gvn/],
    ["if-conversion", "phase:ori-do-predication"],
    ["bubble", /^example:/],
    ["dark", "theme.dark"],
  ])("finds '%s'", (query, id) => {
    expect(first(query)).toMatch(typeof id === "string" ? new RegExp(`^${id.replace(/\./g, "\\.")}$`) : id);
  });

  it("finds every command, phase, example and lab by its own title", () => {
    expect(ENTRIES.filter((entry) => !ranked(ENTRIES, entry.title).includes(entry)).map((entry) => entry.id)).toEqual([]);
  });

  it("puts what cannot be chosen now after what can", () => {
    const [off, on] = [
      { group: "Command", title: "Stop the pass", enabled: false },
      { group: "Command", title: "Stop here" },
    ];
    expect(ranked([off, on], "stop")).toEqual([on, off]);
  });

  it("keeps the order of the list where nothing is typed", () => {
    expect(ranked(ENTRIES, " ")).toBe(ENTRIES);
  });
});
