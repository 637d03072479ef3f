/** Runs a kernel or function on one thread block: warps in turn, each until it ends or waits at a barrier. */

import { popcount } from "../../base/bitset.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func, Inst, Module } from "../ir/types.ts";
import { effectOf, usesOf } from "../ir/visit.ts";
import { isOver, releaseBarriers } from "./barriers.ts";
import { Calls } from "./calls.ts";
import { type Code, type CodeBlock, type CodeTable, Kind, type Step } from "./code.ts";
import { codeOf } from "./decode.ts";
import { lanesOf, lowestLane } from "./lanes.ts";
import { symbolMemory } from "./launch.ts";
import { LANES, type Machine } from "./machine.ts";
import { markAt, whyOf } from "./marks.ts";
import type { Region } from "./memory.ts";
import type { ExecOutcome, RunInputs } from "./outcome.ts";
import { returnsOf, standInsReturned } from "./returns.ts";
import { type Path, Warp } from "./simt.ts";
import { canMakeUp } from "./stand-in-sources.ts";
import { StandIns } from "./stand-ins.ts";
import { giveParams, startMachine } from "./start.ts";
import { waitText } from "./wait-text.ts";

/** Instructions that a path issues before others have their turn, where threads are independent. */
const SLICE = 1000;

/** Runs `fn`. Never throws for what a program does: traps, lost fuel and deadlocks are outcomes. */
export function runKernel(module: Module, fn: Func, inputs: RunInputs): ExecOutcome {
  return new Run(module, fn, inputs).go();
}

class Run {
  private readonly inputs: RunInputs;
  private readonly code: Code;
  private readonly machine: Machine;
  private readonly symbols: Region | null;
  private readonly entered: RunInputs["entered"];
  private readonly calls: Calls;
  private readonly warps: Warp[] = [];
  private readonly executions: Uint32Array;
  private readonly divergences: Uint32Array;
  private readonly partial: Uint8Array;
  private readonly standIns: StandIns | null;
  private fuel: number;
  /** The path that ran last waits for others. */
  private madeRoom = false;
  private warpInstructions = 0;
  private laneInstructions = 0;
  private branches = 0;
  private divergentBranches = 0;
  private ended: Pick<ExecOutcome, "status" | "message" | "stop"> | null = null;

  constructor(module: Module, fn: Func, inputs: RunInputs) {
    this.inputs = inputs;
    const follow = inputs.follow === true && canMakeUp(module, fn, inputs);
    this.standIns = follow ? new StandIns() : null;
    this.code = codeOf(fn, module, follow);
    this.entered = inputs.entered;
    this.fuel = inputs.fuel;
    this.executions = new Uint32Array(fn.blocks.length);
    this.divergences = new Uint32Array(fn.blocks.length);
    this.partial = new Uint8Array(fn.blocks.length);
    this.symbols = symbolMemory(module, "global", 0);
    this.machine = startMachine(module, this.code, inputs, this.symbols, this.standIns);
    this.calls = new Calls(module, this.code, this.machine, follow, inputs.callDepth);
    for (let w = 0; w * LANES < this.machine.threads; w++) this.warps.push(this.startWarp(w));
  }

  private startWarp(index: number): Warp {
    const root = this.calls.activate(this.code, 0);
    giveParams(root, index, this.inputs, this.standIns);
    const lanes = Math.min(LANES, this.machine.threads - index * LANES);
    const mask = lanes === LANES ? -1 : ((1 << lanes) - 1) | 0;
    return new Warp(index, root, mask, this.machine, this.inputs.schedule === "highest");
  }

  go(): ExecOutcome {
    if (this.code.entry < 0) return this.outcome();
    const order = this.inputs.schedule === "highest" ? this.warps.toReversed() : this.warps;
    for (;;) {
      for (const warp of order) {
        this.machine.warp = warp.index;
        for (let path = warp.paths.pop(); path !== undefined; path = warp.paths.pop()) {
          this.runPath(warp, path);
          if (this.ended !== null) return this.outcome();
          if (this.madeRoom) break;
        }
        this.madeRoom = false;
      }
      if (order.some(({ paths }) => paths.length > 0)) continue;
      const release = releaseBarriers(this.warps, this.machine, this.standIns?.voted ?? 0);
      if (release === "released") continue;
      if (release !== "over") {
        const { message, warp, path, step } = release;
        this.stop("deadlock", message, warp, path, step, lowestLane(path.mask), null);
      }
      return this.outcome();
    }
  }

  /** Runs a path until its lanes end, wait or split. */
  private runPath(warp: Warp, path: Path): void {
    const { machine } = this;
    const turns = this.inputs.schedule === "turns";
    const { act } = path;
    const { code } = act;
    const heat = code === this.code;
    const { standIns } = this;
    let lanes = popcount(path.mask);
    let slice = this.inputs.independent === true ? SLICE : Number.POSITIVE_INFINITY;
    blocks: for (;;) {
      if (slice <= 0 && (warp.makeRoom(path) || this.warps.length > 1)) {
        if (!warp.paths.includes(path)) warp.paths.unshift(path);
        this.madeRoom = true;
        return;
      }
      const block = code.blocks[path.block] as CodeBlock;
      if (path.at === 0 && heat) {
        this.executions[path.block] = (this.executions[path.block] as number) + 1;
        if (path.mask !== warp.live) this.partial[path.block] = 1;
        this.entered?.(warp.index, path.block as BlockId, path.mask);
      }
      const { steps } = block;
      slice -= steps.length + 1;
      while (path.at < steps.length) {
        const step = steps[path.at] as Step;
        if (--this.fuel < 0) {
          this.stop("fuel", `the fuel ran out${waitText(warp, path)}`, warp, path, step, lowestLane(path.mask), null);
          return;
        }
        this.warpInstructions++;
        let mask = path.mask;
        if (step.guard < 0) {
          this.laneInstructions += lanes;
        } else {
          mask &= (act.p[step.guard] as number) ^ step.guardXor;
          this.laneInstructions += popcount(mask);
        }
        if (standIns !== null && step.follow !== null) {
          step.follow(act, mask, machine, standIns, path.mask);
          // The instruction itself reports the fault.
          machine.fault = null;
        }
        if (step.kind === Kind.Plain) {
          if (mask !== 0) (step.run as NonNullable<Step["run"]>)(act, mask, machine);
          path.at++;
          if (turns && warp.paths.length > 0 && touchesMemory(step.inst) && machine.fault === null) {
            warp.paths.unshift(path);
            return;
          }
        } else {
          const before = path.block;
          const next = this.control(warp, path, step, mask, heat);
          if (next === WAIT || (next === ENTERED && machine.fault !== null)) {
            this.checkFault(warp, path, before, step);
            return;
          }
          lanes = popcount(path.mask);
          if (next === ENTERED) continue blocks;
        }
        if (machine.fault !== null) {
          this.checkFault(warp, path, path.block, step);
          return;
        }
      }
      if (block.next < 0) {
        this.stop("trap", "control runs off the end of the program", warp, path, null, lowestLane(path.mask), null);
        return;
      }
      if (!warp.enter(path, block.next)) return;
      if (machine.fault !== null) {
        this.checkFault(warp, path, path.block, null);
        return;
      }
      lanes = popcount(path.mask);
    }
  }

  /** A control step. CONTINUE: go on at `path.at`; ENTERED: the path is in another block; WAIT: nothing of the path is left to run now. */
  private control(warp: Warp, path: Path, step: Step, mask: number, heat: boolean): typeof CONTINUE | typeof ENTERED | typeof WAIT {
    switch (step.kind) {
      case Kind.Branch: {
        this.branches++;
        const taken = mask & ((path.act.p[step.pred] as number) ^ step.predXor);
        if (taken === 0) break;
        // Lanes whose next block is the same stay together.
        if (taken === path.mask || step.target === step.falls) return warp.enter(path, step.target) ? ENTERED : WAIT;
        this.diverged(path, heat);
        const away = warp.split(path, taken);
        path.at++;
        const ready = warp.enter(away, step.target) ? [away, path] : [path];
        warp.schedule(ready);
        return WAIT;
      }
      case Kind.Table:
        return this.jump(warp, path, step, mask, heat);
      case Kind.Exit:
        if (mask !== 0) warp.exit(path, mask);
        if (path.mask === 0) return WAIT;
        break;
      case Kind.Return: {
        if (mask === 0) break;
        const message = warp.ret(path, mask);
        if (message !== null) this.machine.trap(message, lowestLane(mask));
        if (message !== null || path.mask === 0) return WAIT;
        break;
      }
      case Kind.Call:
        return this.call(warp, path, step, mask);
      case Kind.Open:
        if (mask === 0) break;
        if (mask !== path.mask) {
          const others = warp.split(path, path.mask & ~mask);
          others.at++;
          warp.paths.push(others);
        }
        warp.open(path, step.barrier as NonNullable<Exclude<Step["barrier"], -1>>);
        break;
      case Kind.Sync:
        if (mask !== 0) warp.sync(path, step.barrier as Exclude<Step["barrier"], -1>, mask);
        if (path.mask === 0) return WAIT;
        break;
      case Kind.Break:
        if (mask !== 0) warp.breakOut(path, step.barrier as Exclude<Step["barrier"], -1>, mask);
        break;
      case Kind.Barrier: {
        if (mask === 0) break;
        (step.run as NonNullable<Step["run"]>)(path.act, mask, this.machine);
        const lane = lowestLane(mask);
        const barrier = path.act.r[step.row + lane] as number;
        const count = step.countRow < 0 ? 0 : (path.act.r[step.countRow + lane] as number);
        const { reduce } = step;
        const votes = ((path.act.p[step.pred] as number) ^ step.predXor) & mask;
        const held = mask === path.mask ? path : warp.split(path, mask);
        held.at++;
        warp.suspended.push({ path: held, barrier, count, votes, reduce, phase: null });
        if (held === path) return WAIT;
        break;
      }
      case Kind.Phase:
        if (mask === 0) break;
        (step.run as NonNullable<Step["run"]>)(path.act, mask, this.machine);
        if (this.machine.fault !== null || isOver(step, path, mask)) break;
        path.at++;
        warp.suspended.push({ path, barrier: 0, count: 0, votes: mask, reduce: null, phase: step });
        return WAIT;
      case Kind.Plain:
        break;
    }
    path.at++;
    return CONTINUE;
  }

  private diverged(path: Path, heat: boolean): void {
    this.divergentBranches++;
    if (heat) this.divergences[path.block] = (this.divergences[path.block] as number) + 1;
  }

  private jump(warp: Warp, path: Path, step: Step, mask: number, heat: boolean): typeof CONTINUE | typeof ENTERED | typeof WAIT {
    this.branches++;
    if (mask === 0) {
      path.at++;
      return CONTINUE;
    }
    (step.run as NonNullable<Step["run"]>)(path.act, mask, this.machine);
    const table = step.table as CodeTable;
    const groups = new Map<number, number>();
    for (const l of lanesOf(mask)) {
      const value = path.act.r[step.row + l] as number;
      const target = tableTarget(table, value);
      if (target < 0) {
        this.machine.trap(`the jump table has no entry for ${value} and no default`, l);
        return WAIT;
      }
      groups.set(target, (groups.get(target) ?? 0) | (1 << l));
    }
    // Lanes that the guard disables fall through; those with the same next block stay together.
    const others = path.mask & ~mask;
    if (others !== 0 && groups.has(step.falls)) groups.set(step.falls, (groups.get(step.falls) ?? 0) | others);
    if (groups.size === 1) {
      for (const [target, lanes] of groups) if (lanes === path.mask) return warp.enter(path, target) ? ENTERED : WAIT;
    }
    this.diverged(path, heat);
    const ready: Path[] = [];
    const parts = [...groups].map(([target, lanes]) => ({ target, part: warp.split(path, lanes) }));
    for (const { target, part } of parts) if (warp.enter(part, target)) ready.push(part);
    if (path.mask !== 0) {
      path.at++;
      ready.push(path);
    }
    warp.schedule(ready);
    return WAIT;
  }

  private call(warp: Warp, path: Path, step: Step, mask: number): typeof CONTINUE | typeof WAIT {
    if (mask === 0) {
      path.at++;
      return CONTINUE;
    }
    const site = step.call as NonNullable<Step["call"]>;
    const called = this.calls.enter(path, site, mask);
    if (called !== null) warp.paths.push(...warp.call(path, site, mask, called));
    return WAIT;
  }

  private checkFault(warp: Warp, path: Path, block: number, step: Step | null): void {
    const { fault } = this.machine;
    if (fault !== null) this.stop("trap", fault.message, warp, { ...path, block }, step, fault.lane, fault.address);
  }

  private stop(
    status: ExecOutcome["status"],
    message: string,
    warp: Warp,
    path: Path,
    step: Step | null,
    lane: number,
    address: number | null,
  ): void {
    const { code, marks } = path.act;
    const block = code.blocks[path.block] as CodeBlock;
    if (status === "trap" && step !== null && this.standIns !== null) {
      for (const r of usesOf(step.inst)) {
        const place = code.markedRegs.indexOf(r);
        const why = whyOf(markAt(marks, place, -1), lane);
        if (why !== 0) this.standIns.decide("the trap", code.fn.name, step.inst.line, why);
      }
    }
    const stop = {
      func: code.fn.name,
      block: block.id,
      label: block.label,
      inst: step?.inst ?? null,
      thread: warp.index * LANES + lane,
      address,
    };
    this.ended = { status, message, stop };
  }

  private outcome(): ExecOutcome {
    const { returned, returns } = returnsOf(this.code, this.warps, this.machine.threads);
    const { standIns } = this;
    const returnedStandIns = standIns === null ? [] : standInsReturned(this.code, this.warps, returned, standIns);
    return {
      status: this.ended?.status ?? "ok",
      stop: this.ended?.stop ?? null,
      message: this.ended?.message ?? "",
      returns,
      returned,
      buffers: this.inputs.buffers,
      symbols: this.symbols,
      effects: this.machine.effects,
      effectDigest: this.machine.effectDigest,
      effectCount: this.machine.effectCount,
      clockReads: this.machine.clocks,
      counters: {
        warpInstructions: this.warpInstructions,
        laneInstructions: this.laneInstructions,
        branches: this.branches,
        divergentBranches: this.divergentBranches,
        maxSyncDepth: this.warps.reduce((n, warp) => Math.max(n, warp.maxDepth), 0),
        loads: this.machine.loads,
        stores: this.machine.stores,
      },
      executions: this.executions,
      divergences: this.divergences,
      partial: this.partial,
      standIns: standIns === null ? null : standIns.followed(this.inputs.buffers, this.symbols, returnedStandIns),
    };
  }
}

function touchesMemory(inst: Inst): boolean {
  const effect = effectOf(inst);
  return effect === "load" || effect === "store" || effect === "atomic";
}

const CONTINUE = 0;
const ENTERED = 1;
const WAIT = 2;

/**
 * The block a table sends a value to, -1 for none. JMX takes an index. BRX takes the address of an entry, or, below the addresses of tables, an index (as
 * `brx.idx` of PTX has it). An index out of range takes the default.
 */
export function tableTarget(table: CodeTable, value: number): number {
  const offset = value - table.address;
  if (!table.indexOnly && offset >= 0) {
    return offset % 4 === 0 ? (table.entries[offset / 4] ?? table.default) : table.default;
  }
  return table.entries[value] ?? table.default;
}
