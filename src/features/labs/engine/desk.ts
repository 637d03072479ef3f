/** A lab as one student sees it: plain data for a page, which calls from another thread. It contains no answer that was not requested. */

import type { Root } from "hast";
import type { Diagnostic, PipelineOptions, SourceFormat } from "../../../engine/api/types.ts";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import type { Ask } from "../../ownpass/engine/check/check-bench.ts";
import { list } from "./credit.ts";
import { studentSeed } from "./digest.ts";
import type { Form } from "./forms.ts";
import { type HandIn, readHandIn } from "./hand-in.ts";
import { isReadable, judgeTask, type TaskResult } from "./judge.ts";
import { Context } from "./kinds/kind.ts";
import { formOf, kindOf } from "./kinds/kinds.ts";
import { predictedAt } from "./kinds/predict.ts";
import { type MadeMove, movesMade } from "./kinds/simulate.ts";
import type { At, Hint, Lab, Log, Part, Seeds, Show, Task } from "./lab.ts";
import { hasNeighbours, type NeighbourName, neighbourOf } from "./neighbours.ts";
import { atText } from "./read/at.ts";
import { readMarkdown } from "./read/markdown.ts";
import { readLab } from "./read/read-lab.ts";
import { safeTree } from "./render.ts";
import { reportPage } from "./reports/student.ts";
import { BrokenTask, type Program, phaseOf, type Run, Stage, spotOf } from "./stage.ts";
import { type Vocabulary, vocabulary } from "./vocabulary.ts";

export interface DeskTaskInfo {
  readonly id: string;
  readonly kind: string;
  readonly points: number;
  /** What the student does, in a sentence. */
  readonly does: string;
  /** Another program can be had for it. */
  readonly varies: boolean;
  /** The engine can show an answer that is worth all points. */
  readonly solvable: boolean;
  /** The lab and task that it repeats. */
  readonly again: string | null;
}

export interface DeskLab {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly digest: string;
  readonly engine: string;
  readonly minutes: number | null;
  readonly level: string | null;
  readonly objectives: readonly string[];
  readonly authors: readonly string[];
  readonly licence: string | null;
  readonly due: string | null;
  readonly declare: string | null;
  readonly attempts: number | null;
  readonly pass: number | null;
  readonly seed: Seeds;
  readonly log: Log;
  readonly max: number;
  readonly tasks: readonly DeskTaskInfo[];
}

export interface OpenedLab {
  /** null: it cannot be worked on; the diagnostics say why. */
  readonly lab: DeskLab | null;
  readonly diagnostics: readonly Diagnostic[];
}

export type DeskPart =
  | { readonly kind: "text"; readonly tree: Root }
  | { readonly kind: "program"; readonly name: string; readonly text: string; readonly own: boolean }
  | { readonly kind: "moment"; readonly label: string; readonly address: string }
  | { readonly kind: "task"; readonly id: string };

/** A program and a place in its run, to show in the tool. `phase` null: its input. */
export interface DeskPlace {
  readonly title: string;
  readonly text: string;
  readonly format: SourceFormat;
  readonly kernel: string;
  readonly options: PipelineOptions;
  readonly phase: string | null;
  /** Which of the phase's runs it is, from 0. */
  readonly occurrence: number;
  /** -1 its start, null its end. */
  readonly step: number | null;
}

export interface DeskTask {
  readonly id: string;
  readonly ask: Root;
  readonly hints: readonly Hint[];
  readonly show: Show;
  readonly form: Form;
  readonly place: DeskPlace | null;
  /** What must be hidden before the answer: this step of this place and everything after it. */
  readonly veil: number | null;
  /** A smaller program and a twin can be requested. */
  readonly neighbours: boolean;
}

/** A program related to that of a task, and the engine's report there. */
export interface DeskNeighbour {
  readonly place: DeskPlace;
  readonly sentence: string;
  readonly differs: readonly [before: string, after: string | null] | null;
}

/** A task that the lab itself breaks. */
export interface BrokenDeskTask {
  readonly broken: string;
}

export interface DeskHandIn {
  readonly handIn: HandIn;
  /** Tasks whose answers do not count. */
  readonly damaged: readonly string[];
  /** Which they are, and why. */
  readonly said: string;
}

export interface DeskJudged {
  readonly result: TaskResult;
  readonly explain: Root | null;
}

/** One open lab with the programs of one seed. Every method answers; none throws because of a file or an answer. */
export class Desk {
  private lab: Lab | null = null;
  private stage: Stage | null = null;

  open(text: string): OpenedLab {
    const { lab, diagnostics } = readLab(text);
    const usable = lab !== null && diagnostics.every((d) => d.severity !== "error");
    this.lab = usable ? lab : null;
    this.stage = null;
    return { lab: this.lab === null ? null : deskLab(this.lab), diagnostics };
  }

  /** The seed of a student; an empty number: of no particular student. Where each attempt has its own, `chance` decides. */
  seedOf(number: string, classKey: string, chance = 0): number {
    if (this.lab === null || this.lab.front.seed === "fixed") return 0;
    if (this.lab.front.seed === "attempt") return studentSeed(this.lab.front, String(chance), "");
    return number.trim() === "" ? 1 : studentSeed(this.lab.front, number, classKey);
  }

  parts(seed: number): readonly DeskPart[] {
    const { lab, stage } = this.at(seed);
    return lab.parts.map((part) => deskPart(part, lab, stage));
  }

  task(id: string, seed: number, variant: number): DeskTask | BrokenDeskTask {
    const { stage } = this.at(seed);
    return unbroken(() => {
      const task = this.find(id);
      const ctx = new Context(stage, task, variant);
      return {
        id,
        ask: markdown(task.ask, stage),
        hints: task.hints,
        show: task.show,
        form: formOf(ctx),
        neighbours: hasNeighbours(task),
        ...(task.program === null ? { place: null, veil: null } : taskPlace(ctx)),
      };
    });
  }

  /** Where a link of the text leads: `first/49#3`. */
  place(address: string, seed: number): DeskPlace | BrokenDeskTask {
    const { lab, stage } = this.at(seed);
    return unbroken(() => {
      const known = lab.moments.find((m) => `${m.program}/${atText(m.at)}` === address);
      const slash = address.indexOf("/");
      const program = stage.program(known?.program ?? address.slice(0, slash < 0 ? undefined : slash));
      const at = known?.at ?? { kind: "input" };
      return placeOf(lab, program, stage.pipeline, stage.run(program, stage.pipeline), at);
    });
  }

  judge(id: string, seed: number, variant: number, answer: unknown, hints: number): DeskJudged {
    const { stage } = this.at(seed);
    const task = this.find(id);
    return {
      result: judgeTask(stage, task, answer, variant, hints),
      explain: task.explain === null ? null : markdown(task.explain, stage),
    };
  }

  /**
   * Runs the code of an answer through `ask`, and judges it: nothing else here runs user code. `progress` is called after each program, with
   * the number of programs.
   */
  async runCode(
    id: string,
    seed: number,
    variant: number,
    answer: unknown,
    hints: number,
    ask: Ask,
    progress: (done: number, of: number) => void,
  ): Promise<DeskJudged> {
    const { stage } = this.at(seed);
    const [{ tryAnswers }, { runnerOf }] = await Promise.all([import("./tried.ts"), import("../../ownpass/engine/check/check-bench.ts")]);
    // What was found before may be that nothing could be run.
    stage.tried.clear();
    await tryAnswers(stage, { [id]: answer }, () => variant, { runner: runnerOf(ask), seed: null, progress });
    return this.judge(id, seed, variant, answer, hints);
  }

  /** An answer that is worth all points, where the engine can give one. */
  solve(id: string, seed: number, variant: number): unknown {
    const { stage } = this.at(seed);
    const task = this.find(id);
    try {
      return kindOf(task.kind)?.solve(task.spec, new Context(stage, task, variant)) ?? null;
    } catch (error) {
      if (error instanceof BrokenTask) return null;
      throw error;
    }
  }

  /** A smaller program with the same decision, or the nearest with the other; null: there is none. */
  neighbour(id: string, seed: number, variant: number, which: NeighbourName): DeskNeighbour | null {
    const { lab, stage } = this.at(seed);
    const ctx = new Context(stage, this.find(id), variant);
    const found = unbroken(() => neighbourOf(ctx, which));
    if (found === null || "broken" in found) return null;
    const { text, run, phase, step, sentence, differs } = found;
    const title = `${ctx.program.name}, ${which}`;
    const program: Program = { name: title, text, format: "ori", ori: text, kernel: run.result.kernel };
    return { place: placeOf(lab, program, ctx.options, run, { kind: "step", phase, step }), sentence, differs };
  }

  moves(
    id: string,
    seed: number,
    variant: number,
    moves: readonly string[],
  ): { readonly made: readonly MadeMove[]; readonly done: boolean } {
    const { stage } = this.at(seed);
    const task = this.find(id);
    try {
      return movesMade(task.spec, moves, new Context(stage, task, variant));
    } catch (error) {
      if (error instanceof BrokenTask) return { made: [], done: true };
      throw error;
    }
  }

  /** A hand-in's file, to go on with it; a string says what is wrong with it. */
  readHandIn(text: string): DeskHandIn | string {
    const handIn = this.checked(text);
    if (typeof handIn === "string") return handIn;
    const given = Object.entries(handIn.answers).filter(([, answer]) => answer !== null);
    const damaged = given.flatMap(([id, answer]) => {
      const task = this.lab?.tasks.find((t) => t.id === id);
      if (task === undefined) return { id, why: "this lab has no such task" };
      return isReadable(task, answer) ? [] : { id, why: "the answer is damaged or incomplete" };
    });
    const said = list(
      damaged.map(({ id, why }) => `${id} (${why})`),
      ", ",
    );
    if (given.length > 0 && damaged.length === given.length) return `none of its answers can be read: ${said}`;
    return { handIn, damaged: damaged.map(({ id }) => id), said };
  }

  private checked(text: string): HandIn | string {
    const read = readHandIn(text);
    if (!read.ok) return read.plain ?? read.message;
    const { id, version } = read.handIn.lab;
    const front = this.lab?.front;
    if (front === undefined) return "no lab is open";
    if (id !== front.id) return `it is for the lab '${id}', not for '${front.id}'`;
    if (version !== undefined && version !== front.version)
      return `it is for version ${version} of the lab; this is version ${front.version}`;
    return read.handIn;
  }

  /** Completions for the author of a lab. */
  vocabulary(): Vocabulary {
    return vocabulary();
  }

  /** The answers of a hand-in as a page to print. */
  report(handIn: string, results: readonly TaskResult[]): string {
    const read = this.checked(handIn);
    if (typeof read === "string" || this.lab === null) throw new Error(typeof read === "string" ? read : "no lab is open");
    return reportPage(this.lab, new Stage(this.lab, read.seed ?? 0), read, results);
  }

  private at(seed: number): { readonly lab: Lab; readonly stage: Stage } {
    if (this.lab === null) throw new Error("no lab is open");
    if (this.stage?.seed !== seed) this.stage = new Stage(this.lab, seed);
    return { lab: this.lab, stage: this.stage };
  }

  private find(id: string): Task {
    const task = this.lab?.tasks.find((t) => t.id === id);
    if (task === undefined) throw new Error(`there is no task ${id}`);
    return task;
  }
}

function deskPart(part: Part, lab: Lab, stage: Stage): DeskPart {
  switch (part.kind) {
    case "text":
      return { kind: "text", tree: safeTree(part.nodes, stage) };
    case "program": {
      const source = lab.programs.find((p) => p.name === part.name);
      const own = source?.kind === "generated" && !source.fixed && lab.front.seed !== "fixed";
      return { kind: "program", name: part.name, text: orWhy(() => stage.program(part.name).text), own };
    }
    case "moment":
      return { kind: "moment", label: part.moment.label, address: `${part.moment.program}/${atText(part.moment.at)}` };
    case "task":
      return { kind: "task", id: part.id };
  }
}

function deskLab({ front, digest, tasks, programs, max }: Lab): DeskLab {
  const { id, title, version, minutes, level, objectives, authors, licence, due, declare, attempts, pass } = front;
  const { seed, log } = front;
  return {
    ...{ id, title, version, digest, minutes, level, objectives, authors, licence, due, declare, attempts, pass, seed, log, max },
    engine: ENGINE_VERSION,
    tasks: tasks.map((task) => {
      const source = programs.find((p) => p.name === task.program);
      return {
        id: task.id,
        kind: task.kind,
        points: task.points,
        does: kindOf(task.kind)?.does ?? "",
        varies: seed !== "fixed" && task.retry === "new" && source?.kind === "generated" && !source.fixed,
        solvable: kindOf(task.kind)?.solves?.(task.spec) ?? true,
        again: task.again,
      };
    }),
  };
}

function unbroken<T>(make: () => T): T | BrokenDeskTask {
  try {
    return make();
  } catch (error) {
    if (error instanceof BrokenTask) return { broken: error.message };
    throw error;
  }
}

function orWhy(make: () => string): string {
  const made = unbroken(make);
  return typeof made === "string" ? made : made.broken;
}

function markdown(text: string, stage: Stage): Root {
  const read = readMarkdown(text);
  return read.ok ? safeTree(read.root.children, stage) : { type: "root", children: [{ type: "text", value: text }] };
}

function taskPlace(ctx: Context): Pick<DeskTask, "place" | "veil"> {
  const { lab, task, options, program } = ctx;
  const run = ctx.run();
  if (task.kind !== "predict") return { place: placeOf(lab, program, options, run, task.at), veil: null };
  const { step, run: index } = predictedAt(ctx);
  const { id, occurrence } = nameOf(run, index);
  return { place: { ...base(lab, program, options), phase: id, occurrence, step: step - 1 }, veil: step };
}

const base = (lab: Lab, { name, text, format, kernel }: Program, options: PipelineOptions) => ({
  title: `${lab.front.title}: ${name}`,
  text,
  format,
  kernel,
  options,
});

function placeOf(lab: Lab, program: Program, options: PipelineOptions, run: Run, at: At): DeskPlace {
  if (at.kind === "input") return { ...base(lab, program, options), phase: null, occurrence: 0, step: -1 };
  const { step } = spotOf(run, at);
  const { id, occurrence } = nameOf(run, phaseOf(run, at.phase).run);
  return { ...base(lab, program, options), phase: id, occurrence, step };
}

function nameOf({ result }: Run, index: number): { readonly id: string; readonly occurrence: number } {
  const id = result.phases[index]?.id ?? "";
  return { id, occurrence: result.phases.slice(0, index).filter((p) => p.id === id).length };
}
