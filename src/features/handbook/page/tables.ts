/** The pages of structures, fields of records, opcodes and knobs. */

import { BIT_READERS } from "../../../app/inspectors/record/readers.ts";
import { plainName } from "../../../app/names/phases.ts";
import { KNOB_STRINGS } from "../../../app/names/provenance.ts";
import { BLOCK_FIELDS, FUNCTION_BITS, type RecordBit } from "../../../app/names/record-fields.ts";
import { structureName } from "../../../app/names/structures.ts";
import type { OpcodeRow } from "../../../engine/api/types.ts";
import type { HandbookKnob, HandbookPhase } from "../../../engine/api/view/handbook.ts";
import { type Block, code, type Entry, heading, type Inline, link, listed, shownExample, text } from "./entry.ts";
import { OPCODE_PROGRAMS, type OpcodeProgram } from "./opcode-programs.ts";
import { phaseId } from "./phases.ts";
import type { Difference, ShownBy } from "./shown-by.ts";
import { STRUCTURES } from "./structures-about.ts";
import { UNSHOWN_KNOBS } from "./unshown.ts";

/** Where everything has been written. */
const LAST_STEP = Number.MAX_SAFE_INTEGER;

const hex = (value: number): string => `0x${value.toString(16).toUpperCase()}`;

export function structureEntries(phases: readonly HandbookPhase[], shown: ShownBy): readonly Entry[] {
  return Object.entries(shown.structures).map(([name, { title, type, phases: ids, shown: place }]): Entry => {
    const { plain, also } = structureName({ name, title });
    const users = phases.filter((phase) => ids.includes(phase.id));
    return {
      id: `structure:${name}`,
      kind: "structure",
      title: plain,
      name: title === plain ? "" : title,
      also: `${also} ${name} ${type}`,
      body: () => [
        text(STRUCTURES[name] ?? title),
        {
          kind: "pairs",
          rows: [
            ["In the reference", [title]],
            ...(also === "" ? [] : [["Also called", [also]] as const]),
            ["Shown as", [SHAPES[type] ?? type]],
            ["Written by", listed(users.map((phase) => link(phaseId(phase), `${phase.number ?? "cicc"} ${plainName(phase)}`)))],
          ],
        },
        text("Data > Structures shows it at every step and marks what the step wrote."),
      ],
      example: shownExample(place),
      phase: users[0]?.id ?? null,
    };
  });
}

const SHAPES: Readonly<Record<string, string>> = {
  table: "a table, one row per entry",
  matrix: "a matrix",
  worklist: "a worklist, in order",
  ring: "a ring of slots",
  set: "a set",
  bitset: "a bit set",
  "value-table": "a hash table with chains: buckets, nodes, leaders",
  "hash-map": "a hash table: buckets, nodes, hashes byte by byte",
  "rb-tree": "a red-black tree",
};

export function fieldEntries(shown: ShownBy): readonly Entry[] {
  const analysis = shown.phases["analyze-control-flow"];
  const example = analysis === undefined ? null : shownExample({ ...analysis, step: LAST_STEP });
  const block = BLOCK_FIELDS.map(
    (field): Entry => ({
      id: `field:${field.offset}`,
      kind: "field",
      title: `${field.name} (block ${field.offset})`,
      name: `BasicBlock ${field.offset}`,
      also: (field.bits?.table ?? []).map((bit) => `${bit.name} ${hex(bit.mask)}`).join(" "),
      body: () => [
        text(`A field of the block's record, ${field.offset.slice(1)} bytes from its start. `, ABOUT[field.id] ?? ""),
        ...(field.bits === undefined ? [] : bitTable(field.bits.table.map((bit) => [bit, hex(bit.mask)]))),
        text("Data > Record shows its value at every step, and the last step that wrote it."),
      ],
      example,
      phase: "analyze-control-flow",
    }),
  );
  const offsets = [...new Set(FUNCTION_BITS.map((bit) => bit.offset))];
  const func = offsets.map((offset): Entry => {
    const bits = FUNCTION_BITS.filter((bit) => bit.offset === offset);
    return {
      id: `field:+${offset}`,
      kind: "field",
      title: `${bits.map((bit) => bit.name).join(", ")} (function +${offset})`,
      name: `Code Object +${offset}`,
      also: "function flags, code object",
      body: () => [
        text(`A byte of the function's record, ${offset} bytes from its start.`),
        ...bitTable(bits.map((bit) => [bit, hex(bit.byteMask)])),
        text("Data > Record shows the function's bits at every step."),
      ],
      example,
      phase: "analyze-control-flow",
    };
  });
  return [...block, ...func];
}

function bitTable(bits: readonly (readonly [RecordBit, string])[]): readonly Block[] {
  return [
    heading("Bits"),
    {
      kind: "table",
      head: ["bit", "name", "meaning", "read by"],
      rows: bits.map(([bit, mask]) => [[mask], [code(bit.name)], [BITS[bit.name] ?? ""], [readersOf(bit.name)]]),
    },
  ];
}

function readersOf(bit: string): string {
  const known = BIT_READERS.find((row) => row.bit === bit);
  return known === undefined ? "not named in the reference" : `${known.readers.join("; ")}; here: ${known.here.join(", ")}`;
}

const ABOUT: Readonly<Record<string, string>> = {
  next: "The block that follows in the layout.",
  head: "The first instruction, head of the block's instruction list.",
  scratch16: "Scratch.",
  scratch120: "Scratch of the scheduler; the control-flow analysis sets it to 0.",
  succs: "The successor list: cleared when the analysis begins, filled as terminators are read.",
  preds: "The predecessor list.",
  rpo: "The block's reverse post-order number, from 1; 0 where the block is unreachable or not analysed.",
  latchExit:
    "Two uses: during the sweep, the smallest number that the block jumps back to; once a loop header is confirmed, the number of its furthest latch.",
  scratch232: "Scratch; the control-flow analysis sets it to 0.",
  flags: "The flag word: what the control-flow analysis found out about the block.",
  flags2: "The second flag byte.",
};

const BITS: Readonly<Record<string, string>> = {
  EARLY_EXIT: "a thread can leave the kernel here",
  LOOP_HEADER: "a back edge leads here",
  HAS_PRED: "a predecessor with a smaller number leads here",
  ANALYSIS_OK: "the terminator passed the test for back edges",
  IN_LOOP: "its number is between those of a header and its latch",
  BIT2: "cleared together with the next bit",
  BACK_EDGE_CANDIDATE: "a back edge may end here",
  ANALYSIS_RUNNING: "the analysis is running",
  EARLY_EXIT_OBSERVED: "a block with EARLY_EXIT was found",
  REENTRY_GUARD: "while this is set, a recursive call of the analysis is refused",
  FORCE_REBUILD: "the next call rebuilds everything",
  SMALL_KERNEL: "the function has few blocks",
  RPO_VIOLATION: "an edge enters a loop elsewhere than at its header: loop tags are unreliable",
  CALLEE_ATTRIBUTE: "the function calls others",
  COMMONED: "a commoning pass has changed the function",
  SWITCH_CONTEXT: "DoSwitchOpt has made its context",
};

export function opcodeEntries(opcodes: readonly OpcodeRow[]): readonly Entry[] {
  return opcodes.map((row): Entry => {
    const program = OPCODE_PROGRAMS[row.name];
    const pairs: (readonly [string, readonly Inline[]])[] = [
      ["Operands", [code(row.shape === "" ? "none" : row.shape)]],
      ...(row.mods === "" ? [] : [["Modifiers", [row.mods]] as const]),
      ["Effect", [row.effect]],
      ["Family", [row.family]],
      ["Numbers in the reference", [row.numbers.length === 0 ? "none given" : row.numbers.join(", ")]],
    ];
    return {
      id: `opcode:${row.name}`,
      kind: "opcode",
      title: row.name,
      name: "",
      also: `${row.family} ${row.doc} ${row.numbers.join(" ")}`,
      body: () => [text(row.doc), { kind: "pairs", rows: pairs }, ...(program === undefined ? [] : programOf(program))],
      example: program === undefined ? null : { kind: "opcode", name: row.name, program, label: "Open this program" },
      phase: null,
    };
  });
}

function programOf({ text: source, args, mem, threads, results }: OpcodeProgram): readonly Block[] {
  const given = [...args, ...mem];
  return [
    heading("In a program"),
    { kind: "code", lines: source.trimEnd().split("\n"), numbered: false },
    {
      kind: "pairs",
      rows: [
        ...(given.length === 0 ? [] : [["Run with", listed(given.map(code))] as const]),
        ...(threads === 1 ? [] : [["Threads", [String(threads)]] as const]),
        ["Interpreter's result", listed(results.map(code))],
      ],
    },
  ];
}

/** A knob's page is found by its number as well as by its key. */
export const knobId = (knob: Pick<HandbookKnob, "index" | "key">): string => `knob:${knob.index ?? knob.key}`;

export function knobEntries(knobs: readonly HandbookKnob[], phases: readonly HandbookPhase[], shown: ShownBy): readonly Entry[] {
  return knobs.map((knob): Entry => {
    const found = shown.knobs[knob.key];
    const why = UNSHOWN_KNOBS[knob.key];
    const readers = knob.readBy.map((reader): Inline => {
      const phase = phases.find((p) => p.id === reader);
      return phase === undefined ? code(reader) : link(phaseId(phase), `${phase.number ?? "cicc"} ${plainName(phase)}`);
    });
    return {
      id: knobId(knob),
      kind: "knob",
      title: knob.name,
      name: knob.name === knob.key ? "" : knob.key,
      also: [knob.key, knob.rot13 ?? "", ...knob.alsoNamed, String(knob.index ?? ""), knob.doc].join(" "),
      body: () => [
        text(knob.doc),
        ...(found === undefined ? [] : [text("In the program ", code(found.shown.future ?? ""), ` ${DIFFERS[found.differs]}`)]),
        ...(why === undefined ? [] : [text(why)]),
        {
          kind: "pairs",
          rows: [
            ["Set it", [code(`--knob ${knob.key}=…`), " or in the page, by What if …? > Set a knob"]],
            ["Type", [knob.type]],
            ["Default", [`${knob.default}${knob.chosen ? " (our choice: the reference gives none)" : ""}`]],
            ["Read by", readers.length === 0 ? ["no modelled phase"] : listed(readers)],
            ...(knob.index === null ? [] : [["Number", [String(knob.index)]] as const]),
            ...(knob.alsoNamed.length === 0 ? [] : [["Other names", [knob.alsoNamed.join(", ")]] as const]),
            ...(knob.rot13 === null ? [] : [["In the binary", [code(knob.rot13)]] as const]),
            ...(KNOB_STRINGS[knob.key] === undefined ? [] : [["Name at", [code(KNOB_STRINGS[knob.key] ?? "")]] as const]),
            ["Source", [knob.source]],
          ],
        },
      ],
      example: found === undefined ? null : shownExample(found.shown, "Compare both values in a program"),
      phase: knob.readBy.find((reader) => phases.some((p) => p.id === reader)) ?? null,
    };
  });
}

const DIFFERS: Readonly<Record<Difference, string>> = {
  result: "changes the result: opens the run with it as a future next to the run without it.",
  decisions: "changes decisions but not the result: opens the run with it as a future next to the run without it.",
  events: "changes neither the result nor a decision, only the work done: compare the events of both futures.",
};
