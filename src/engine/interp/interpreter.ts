/** Runs a kernel or function on one thread block: warps in turn, each until it ends or waits at a barrier. */

import { popcount } from "../../base/bitset.ts";
import { plural } from "../../base/plural.ts";
import type { BlockId } from "../ir/ids.ts";
import { GLOBAL_BASE, symbolAddress } from "../ir/symbol-address.ts";
import type { Func, Inst, Module } from "../ir/types.ts";
import { effectOf, usesOf } from "../ir/visit.ts";
import { type BlockReduction, type CallSite, type Code, type CodeBlock, type CodeTable, codeOf, Kind, type Step } from "./code.ts";
import { constantBanks, declaredIn, fillBankWords, initialised, symbolMemory } from "./launch.ts";
import { LANES, lowestLane, Machine } from "./machine.ts";
import { GlobalMemory, type Region, region } from "./memory.ts";
import type { ExecOutcome, RunInputs, Stop } from "./outcome.ts";
import { type Activation, type Path, transfer, Warp } from "./simt.ts";
import { canMakeUp } from "./stand-in-sources.ts";
import { type FollowedStandIns, NO_MARKS, newMarks, StandIns, UNWRITTEN, unwritten } from "./stand-ins.ts";

const DEFAULT_SHARED = 48 * 1024;
const DEFAULT_LOCAL = 4096;
/** Nested calls a thread may make where the inputs do not say otherwise. */
export const MAX_CALL_DEPTH = 64;
/** Instructions that a path issues before others have their turn, where threads are independent. */
const SLICE = 1000;

/** Runs `fn`. Never throws for what a program does: traps, lost fuel and deadlocks are outcomes. */
export function runKernel(module: Module, fn: Func, inputs: RunInputs): ExecOutcome {
  return new Run(module, fn, inputs).go();
}

class Run {
  private readonly module: Module;
  private readonly inputs: RunInputs;
  private readonly code: Code;
  private readonly machine: Machine;
  private readonly symbols: Region | null;
  private readonly entered: RunInputs["entered"];
  private readonly warps: Warp[] = [];
  private readonly executions: Uint32Array;
  private readonly divergences: Uint32Array;
  private readonly partial: Uint8Array;
  private readonly standIns: StandIns | null;
  private readonly callees = new Map<string, Code | null>();
  /** Names by address, of functions whose address is taken. */
  private readonly functions: ReadonlyMap<number, string>;
  private fuel: number;
  /** The path that ran last waits for others. */
  private madeRoom = false;
  private warpInstructions = 0;
  private laneInstructions = 0;
  private branches = 0;
  private divergentBranches = 0;
  private ended: { readonly status: ExecOutcome["status"]; readonly message: string; readonly stop: Stop | null } | null = null;

  constructor(module: Module, fn: Func, inputs: RunInputs) {
    this.module = module;
    this.inputs = inputs;
    const follow = inputs.follow === true && canMakeUp(module, fn, inputs);
    this.standIns = follow ? new StandIns() : null;
    this.code = codeOf(fn, module, follow);
    this.entered = inputs.entered;
    this.fuel = inputs.fuel;
    this.executions = new Uint32Array(fn.blocks.length);
    this.divergences = new Uint32Array(fn.blocks.length);
    this.partial = new Uint8Array(fn.blocks.length);
    const constants = constantBanks(module, inputs, (bank, known) => this.standIns?.begin(bank, known, false));
    this.functions = new Map(module.symbols.flatMap((s) => (s.space === "func" ? [[symbolAddress(s), s.name] as const] : [])));
    this.symbols = symbolMemory(module, "global", 0);
    for (const buffer of inputs.buffers) this.standIns?.begin(buffer, "all");
    if (this.symbols !== null) this.standIns?.begin(this.symbols, declaredIn(module, "global"));
    const symbolBuffer = this.symbols === null ? [] : [{ name: "", base: GLOBAL_BASE, ...this.symbols }];
    const localSymbols = module.symbols.reduce((end, s) => (s.space === "local" ? Math.max(end, s.offset + s.size) : end), 0);
    // A run may leave threads out, the last ones; a block of a required size has no more than these.
    const most = fn.blockSize?.reduce((n, size) => n * size) ?? 1024;
    const threads = Math.max(1, Math.min(most, Math.floor(inputs.threads)));
    const callees = this.code.calls ? module.funcs.filter((f) => f.kind === "func") : [];
    const codes = [this.code, ...callees.map((f) => codeOf(f, module))];
    this.machine = new Machine({
      threads,
      global: new GlobalMemory([...inputs.buffers, ...symbolBuffer]),
      readsLaunched: codes.some((code) => code.readsLaunched),
      readsStored: codes.some((code) => code.readsStored),
      makeShared: () => {
        const shared = symbolMemory(module, "shared", inputs.sharedBytes ?? DEFAULT_SHARED) ?? region(0);
        this.standIns?.begin(shared, initialised(module));
        return shared;
      },
      localBytes: Math.max(inputs.localBytes ?? DEFAULT_LOCAL, Math.ceil(localSymbols / 16) * 16),
      constants,
      specials: {
        blockDim: fn.blockSize ?? inputs.blockDim ?? [threads, 1, 1],
        gridDim: inputs.gridDim ?? [1, 1, 1],
        blockIdx: inputs.blockIdx ?? [0, 0, 0],
        given: inputs.specials ?? NOTHING_GIVEN,
      },
      begun: (local) => this.standIns?.begin(local, []),
      clock: inputs.clock,
    });
    const highestFirst = inputs.schedule === "highest";
    for (let w = 0; w * LANES < threads; w++) {
      const lanes = Math.min(LANES, threads - w * LANES);
      const root = this.activate(this.code, 0);
      this.setParams(root, w);
      this.warps.push(new Warp(w, root, lanes === LANES ? -1 : ((1 << lanes) - 1) | 0, this.machine, highestFirst));
    }
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
      if (!this.releaseBarriers()) return this.outcome();
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
    for (;;) {
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
      let entered = false;
      while (path.at < steps.length) {
        const step = steps[path.at] as Step;
        if (--this.fuel < 0) {
          this.stop("fuel", `the fuel ran out${waitOf(warp, path)}`, warp, path, step, lowestLane(path.mask), null);
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
          step.follow(act, mask, path.mask, machine, standIns);
          // What is wrong is said by the instruction itself.
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
          if (next === WAIT) {
            this.checkFault(warp, path, before, step);
            return;
          }
          if (next === ENTERED) {
            lanes = popcount(path.mask);
            entered = true;
            if (machine.fault !== null) {
              this.checkFault(warp, path, before, step);
              return;
            }
            break;
          }
          lanes = popcount(path.mask);
        }
        if (machine.fault !== null) {
          this.checkFault(warp, path, path.block, step);
          return;
        }
      }
      if (entered) continue;
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
        if (mask === path.mask) {
          path.at++;
          warp.suspended.push({ path, barrier, count, votes, reduce, phase: null });
          return WAIT;
        }
        const held = warp.split(path, mask);
        held.at++;
        warp.suspended.push({ path: held, barrier, count, votes, reduce, phase: null });
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
    for (let m = mask; m !== 0; m &= m - 1) {
      const l = lowestLane(m);
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
    const deepest = this.inputs.callDepth ?? MAX_CALL_DEPTH;
    if (path.act.depth >= deepest) {
      this.machine.trap(`more than ${deepest} nested calls`, lowestLane(mask));
      return WAIT;
    }
    const called: { readonly act: Activation; readonly lanes: number }[] = [];
    for (const [name, lanes] of this.targets(path, site, mask)) {
      const act = this.enter(path, site, name, lanes);
      if (act === null) return WAIT;
      called.push({ act, lanes });
    }
    warp.paths.push(...warp.call(path, site, mask, called));
    return WAIT;
  }

  /** The functions that lanes call, each with its lanes: of a call by address as many as there are addresses. */
  private targets(path: Path, { callee, row }: CallSite, mask: number): ReadonlyMap<string, number> {
    if (callee !== null) return new Map([[callee, mask]]);
    const { r } = path.act;
    const lanesOf = new Map<string, number>();
    for (let left = mask; left !== 0; left &= left - 1) {
      const lane = lowestLane(left);
      const address = (r[row + LANES + lane] as number) * 2 ** 32 + (r[row + lane] as number);
      const name = this.functions.get(address) ?? `at the address 0x${address.toString(16)}`;
      lanesOf.set(name, (lanesOf.get(name) ?? 0) | (1 << lane));
    }
    return lanesOf;
  }

  /** A call of one function by some lanes, with its arguments; null after a trap. */
  private enter(path: Path, site: CallSite, name: string, lanes: number): Activation | null {
    const lane = lowestLane(lanes);
    const callee = this.calleeOf(name);
    if (callee === null) {
      this.machine.trap(`there is no function ${name}`, lane);
      return null;
    }
    if (site.args.length !== callee.params.length) {
      this.machine.trap(`${name} takes ${plural(callee.params.length, "argument")}, the call gives ${site.args.length}`, lane);
      return null;
    }
    const act = this.activate(callee, path.act.depth + 1);
    for (let i = 0; i < site.args.length; i++) {
      const message = transfer(
        path.act,
        site.args[i] as (typeof site.args)[number],
        act,
        callee.params[i] as (typeof callee.params)[number],
        lanes,
      );
      if (message !== null) this.machine.trap(message, lane);
    }
    return act;
  }

  private calleeOf(name: string): Code | null {
    let code = this.callees.get(name);
    if (code === undefined) {
      const fn = this.module.funcs.find((f) => f.name === name && f.kind === "func");
      // A recursive function must meet the state it is run in, which may not be the module's.
      code =
        name === this.code.fn.name && this.code.fn.kind === "func"
          ? this.code
          : fn === undefined
            ? null
            : codeOf(fn, this.module, this.standIns !== null);
      this.callees.set(name, code);
    }
    return code;
  }

  private activate(code: Code, depth: number): Activation {
    const r = code.template.slice();
    fillBankWords(code, r, this.machine);
    const p = new Int32Array(code.preds);
    p[0] = -1;
    return { r, p, code, depth, marks: this.standIns === null ? NO_MARKS : newMarks(code.marks) };
  }

  private setParams(act: Activation, warp: number): void {
    this.code.params.forEach((place, i) => {
      const given = this.inputs.args[i];
      const arg = given ?? 0;
      if (place.mark >= 0 && this.standIns !== null) {
        act.marks.lanes[place.mark] = given === undefined ? -1 : 0;
        const { name, line } = this.code.fn;
        const what = `the parameter ${this.code.fn.params[i]?.name ?? ""}, which is not given`;
        if (given === undefined) act.marks.why[place.mark] = this.standIns.number({ kind: "value", what, func: name, line });
      }
      for (let l = 0; l < LANES; l++) {
        const value = typeof arg === "function" ? arg(warp * LANES + l) : arg;
        const [lo, hi] = typeof value === "number" ? [value, 0] : value;
        if (place.predicate) {
          if (place.at > 1 && (lo & 1) !== 0) act.p[place.at] = (act.p[place.at] as number) | (1 << l);
        } else {
          act.r[place.at + l] = lo;
          if (place.wide) act.r[place.at + LANES + l] = hi;
        }
      }
    });
  }

  /** Lets barriers go whose threads are all there, and those whose phase is over. False when the run is over. */
  private releaseBarriers(): boolean {
    const all = this.warps.flatMap((warp) => warp.suspended.map((entry) => ({ warp, ...entry })));
    const waiting = all.filter(({ phase }) => phase === null);
    const first = waiting[0];
    if (all.length === 0) return false;
    const live = this.warps.reduce((n, warp) => n + popcount(warp.live), 0);
    const arrived = new Map<number, number>();
    const ayes = new Map<number, number>();
    for (const { barrier, path, votes } of waiting) {
      arrived.set(barrier, (arrived.get(barrier) ?? 0) + popcount(path.mask));
      ayes.set(barrier, (ayes.get(barrier) ?? 0) + popcount(votes));
    }
    let released = false;
    for (const warp of this.warps) {
      const free = warp.suspended.filter(({ barrier, count, phase, path, votes }) =>
        phase === null
          ? (arrived.get(barrier) ?? 0) >= (count === 0 ? live : Math.min(count, live))
          : this.isNowOver(phase, warp, path, votes),
      );
      if (free.length === 0) continue;
      released = true;
      for (const { reduce, path, barrier } of free)
        if (reduce !== null) tell(reduce, path, ayes.get(barrier) ?? 0, arrived.get(barrier) ?? 0, this.standIns?.voted ?? 0);
      warp.suspended = warp.suspended.filter((entry) => !free.includes(entry));
      warp.schedule(free.map((entry) => entry.path));
    }
    if (released) return true;
    // Nobody else can go on: those that ask for a phase do, with the answer that it is not over.
    for (const warp of this.warps) {
      const asking = warp.suspended.filter(({ phase }) => phase !== null);
      warp.suspended = warp.suspended.filter(({ phase }) => phase === null);
      warp.schedule(asking.map(({ path }) => path));
    }
    if (first === undefined || waiting.length < all.length) return true;
    const { warp, path, barrier } = first;
    const step = (path.act.code.blocks[path.block] as CodeBlock).steps[path.at - 1] ?? null;
    const message = `BAR.SYNC ${barrier} was reached by ${arrived.get(barrier)} of ${live} live threads`;
    this.stop("deadlock", message, warp, path, step, lowestLane(path.mask), null);
    return false;
  }

  private isNowOver(step: Step, warp: Warp, path: Path, mask: number): boolean {
    this.machine.warp = warp.index;
    (step.run as NonNullable<Step["run"]>)(path.act, mask, this.machine);
    return isOver(step, path, mask);
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
        const why = place >= 0 && (((marks.lanes[place] as number) >>> lane) & 1) !== 0 ? (marks.why[place] as number) : 0;
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
    const { threads } = this.machine;
    const returned = new Uint8Array(threads);
    const returns = this.code.returns.map((place) => ({
      lo: new Uint32Array(threads),
      hi: place.wide ? new Uint32Array(threads) : null,
    }));
    for (let t = 0; t < threads; t++) {
      const warp = this.warps[Math.floor(t / LANES)] as Warp;
      const l = t % LANES;
      if (((warp.returned >>> l) & 1) === 0) continue;
      returned[t] = 1;
      this.code.returns.forEach((place, i) => {
        const { lo, hi } = returns[i] as (typeof returns)[number];
        lo[t] = place.predicate ? ((warp.root.p[place.at] as number) >>> l) & 1 : (warp.root.r[place.at + l] as number);
        if (hi !== null) hi[t] = warp.root.r[place.at + LANES + l] as number;
      });
    }
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
      standIns: this.standIns === null ? null : this.followed(this.standIns, returned),
    };
  }

  private followed(standIns: StandIns, returned: Uint8Array): FollowedStandIns {
    const returns = this.code.returns.map(({ mark, reg }) => {
      const whys = new Uint8Array(returned.length);
      if (mark < 0) return whys;
      const { name, line } = this.code.fn;
      returned.forEach((did, t) => {
        const { lanes, why } = (this.warps[Math.floor(t / LANES)] as Warp).root.marks;
        if (did === 0 || (((lanes[mark] as number) >>> (t % LANES)) & 1) === 0) return;
        const found = why[mark] as number;
        whys[t] = found === UNWRITTEN ? standIns.number({ kind: "value", what: unwritten(reg), func: name, line }) : found;
      });
      return whys;
    });
    return standIns.followed(this.inputs.buffers, this.symbols, returns);
  }
}

const NOTHING_GIVEN: ReadonlyMap<string, number> = new Map();

function touchesMemory(inst: Inst): boolean {
  const effect = effectOf(inst);
  return effect === "load" || effect === "store" || effect === "atomic";
}

/** Which lanes wait for those that still run. */
function waitOf(warp: Warp, path: Path): string {
  const found = warp.waitingFor(path);
  if (found === null) return "";
  const running = path.act.code.blocks[path.block]?.label ?? "";
  return `: ${laneText(path.mask)} of warp ${warp.index} ${popcount(path.mask) === 1 ? "runs" : "run"} on in ${running}, and ${laneText(found.lanes)} ${popcount(found.lanes) === 1 ? "waits" : "wait"} for ${popcount(path.mask) === 1 ? "it" : "them"} at ${found.block}`;
}

function laneText(mask: number): string {
  const lanes = Array.from({ length: LANES }, (_, l) => l).filter((l) => ((mask >>> l) & 1) !== 0);
  const [first, last] = [lanes[0] ?? 0, lanes.at(-1) ?? 0];
  if (lanes.length === 1) return `lane ${first}`;
  return last - first + 1 === lanes.length ? `lanes ${first} to ${last}` : `lanes ${lanes.join(", ")}`;
}

/** True when the phase is over for all lanes that ask. */
function isOver(step: Step, path: Path, mask: number): boolean {
  return (mask & ~(path.act.p[step.pred] as number)) === 0;
}

/** Writes what the threads at a barrier say together: how many of their predicates hold, whether all or any do. */
function tell({ kind, at, predicate, mark }: BlockReduction, path: Path, ayes: number, all: number, standIn: number): void {
  const value = kind === "POPC" ? ayes : kind === "AND" ? Number(ayes === all) : Math.min(ayes, 1);
  const { r, p, marks } = path.act;
  if (mark >= 0) {
    marks.lanes[mark] = ((marks.lanes[mark] as number) & ~path.mask) | (standIn === 0 ? 0 : path.mask);
    if (standIn !== 0) marks.why[mark] = standIn;
  }
  if (predicate) p[at] = ((p[at] as number) & ~path.mask) | (value === 0 ? 0 : path.mask);
  else for (let m = path.mask; m !== 0; m &= m - 1) r[at + lowestLane(m)] = value;
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
