/** The programs between the rewrites of one run of a phase, recorded during it, instead of a run for each of them. */

import type { Editor } from "../ir/edit.ts";
import type { Func } from "../ir/types.ts";

/**
 * The program before a request is the phase's result if this and all later requests are refused, provided that every granted rewrite is performed and that
 * the phase edits only in rewrites. Otherwise nothing is recorded, and the program must come from a run that ends there.
 */
export class Snapshots {
  /** By number of rewrites; a function creates the program on first use. */
  private readonly programs = new Map<number, Func | (() => Func)>();
  /** The editor's count after the last rewrite: edits beyond it belong to no rewrite. */
  private accounted = 0;
  private depth = 0;
  private onlyRewrites = true;
  private taken: { readonly edits: number; readonly program: Func } | null = null;
  private instead: (() => Func) | null = null;

  /** For the next request: what the phase makes when it and all that follow are refused, while granted rewrites are still pending. */
  ifRefused(program: () => Func): void {
    this.instead = program;
  }

  /** A rewrite is requested, after `done` that were granted, of which `pending` are not performed yet. */
  requested(done: number, pending: number, edit: Editor): void {
    const { instead } = this;
    this.instead = null;
    this.account(edit);
    if (!this.onlyRewrites || this.depth > 0) return;
    if (instead !== null) this.programs.set(done, instead);
    else if (pending === 0) this.programs.set(done, this.current(edit));
  }

  /** Carries out a rewrite, or a part of one. */
  rewrite(edit: Editor, edits: { apply(): void }): void {
    this.account(edit);
    this.depth++;
    edits.apply();
    this.depth--;
    if (this.depth === 0) this.accounted = edit.editCount;
  }

  /** The phase has ended. */
  end(edit: Editor): void {
    this.account(edit);
  }

  /** The program after the first `n` rewrites; null where this run does not show it. */
  after(n: number): Func | null {
    const program = this.onlyRewrites ? this.programs.get(n) : null;
    if (typeof program !== "function") return program ?? null;
    const made = program();
    this.programs.set(n, made);
    return made;
  }

  /** One and the same while only annotations change: some rewrites only note what a later one makes use of. */
  private current(edit: Editor): Func {
    if (this.taken?.edits !== edit.editCount) this.taken = { edits: edit.editCount, program: edit.snapshot() };
    return this.taken.program;
  }

  private account(edit: Editor): void {
    if (this.depth === 0 && edit.editCount !== this.accounted) this.onlyRewrites = false;
  }
}
