/**
 * Runs a pass's untrusted code. Each request starts from the same state of the engine, with only the API of passes loaded: no state of a
 * request survives it, and what it may use is metered. Requests and answers are texts, and no answer is trusted.
 */

import type { Ended } from "../engine/check/check.ts";
import { MOST_ANSWER, type PassRequest } from "../engine/check/requests.ts";
import { type Engine, MeterEnded, openEngine, type Picture, ThrownInside } from "./engine.ts";
import { GUEST_SCRIPT } from "./guest.generated.ts";
import { BOX_LIMITS, type BoxLimits, MOST_STEPS } from "./limits.ts";

/** The most remembered programs: enough for those on which a task tries all students' code. */
const MOST_PROGRAMS = 100;

/** A check requests a program twice. A picture costs as much as reading it, so only a third request is worth one. */
const READS = 2;

const MILLION = 1_000_000;

type Pointer = ReturnType<Engine["evaluate"]>;

export class Box {
  private readonly engine: Engine;
  private readonly limits: BoxLimits;
  private readonly answer: Pointer;
  /** Returns the line at which the code is. */
  private readonly line: Pointer;
  /** Reads the program of a request. */
  private readonly read: Pointer;
  private readonly fresh: Picture;
  /** Per program, how often it was requested or, from the third time on, `fresh` with the program read. The latest is last. */
  private readonly programs = new Map<string, number | Picture>();
  private code = "";
  /** Steps of the requests that are counted together. */
  private together = 0;

  private constructor(engine: Engine, limits: BoxLimits) {
    this.engine = engine;
    this.limits = limits;
    [this.answer, this.read, this.line] = engine.within(MOST_STEPS, () => {
      engine.evaluate(GUEST_SCRIPT, "oriscope");
      const answer = engine.evaluate("oriscopeGuest.answer", "oriscope");
      const read = engine.evaluate("oriscopeGuest.read", "oriscope");
      const line = engine.evaluate("oriscopeGuest.line", "oriscope");
      engine.evaluate("delete globalThis.oriscopeGuest", "oriscope");
      return [answer, read, line];
    });
    this.fresh = engine.picture();
  }

  static async open(limits: BoxLimits = BOX_LIMITS): Promise<Box> {
    return new Box(await openEngine(limits.memory), limits);
  }

  /** Steps that the last request took. */
  get spent(): number {
    return this.engine.spent;
  }

  /** Reads a program before the code is loaded, at no cost to the code. A program that is requested often is read three times. */
  private readProgram(program: string, wipe: boolean): void {
    const { engine, fresh, programs } = this;
    const before = programs.get(program) ?? 0;
    programs.delete(program);
    programs.set(program, typeof before === "number" ? before + 1 : before);
    for (const [oldest] of programs) if (programs.size > MOST_PROGRAMS) programs.delete(oldest);
    if (typeof before !== "number") {
      engine.putBack(before, wipe);
      return;
    }
    const often = before === READS;
    engine.putBack(fresh, wipe || often);
    try {
      engine.within(MOST_STEPS, () => engine.call(this.read, program, 0));
      if (often) programs.set(program, engine.picture(fresh));
    } catch (error) {
      if (!(error instanceof MeterEnded || error instanceof ThrownInside)) throw error;
      // The request then reads the program itself and reports the error.
      engine.putBack(fresh, false);
    }
  }

  /** The answer as text, to be read by `readAnswer`; or why there is none. Throws nothing that the code can cause. */
  ask(request: PassRequest): string | Ended {
    const { engine, limits, code } = this;
    // What another source left in free memory must not be visible to this one.
    const wipe = request.code !== code;
    this.code = request.code;
    if (wipe || request.ask === "describe") this.together = 0;
    const steps = request.together === true ? Math.min(limits.steps, Math.max(0, limits.together - this.together)) : limits.steps;
    if (request.ask === "describe") engine.putBack(this.fresh, wipe);
    else this.readProgram(JSON.stringify(request.program), wipe);
    const most = MOST_ANSWER[request.ask];
    try {
      const text = engine.within(steps, () => engine.call(this.answer, JSON.stringify(request), most));
      return text ?? { ended: "size", message: `The answer of the pass has more than ${most} bytes.` };
    } catch (error) {
      const line = engine.numberAfter(this.fresh, this.line);
      if (error instanceof MeterEnded)
        return error.why === "steps"
          ? { ended: "steps", message: lateness(limits, steps), line }
          : { ended: "depth", message: "The pass recurses too deeply.", line };
      if (error instanceof ThrownInside)
        return /out of memory|^null$/.test(error.message)
          ? { ended: "memory", message: `The pass took more than ${Math.round(limits.memory / 2 ** 20)} MB of memory.`, line }
          : { ended: "answer", message: `The pass left no answer: ${error.message.slice(0, 500)}`, line };
      throw error;
    } finally {
      if (request.together === true) this.together += engine.spent;
    }
  }
}

const lateness = (limits: BoxLimits, steps: number): string =>
  steps < limits.steps
    ? `The pass took more than ${limits.together / MILLION} million steps on all programs together.`
    : `The pass did not end within ${limits.steps / MILLION} million steps.`;
