/** Into static single assignment: PHIs where definitions meet, then each definition gets its own name. Pruned: a PHI only where its value is read. */

import { type Block, definePass, type Inst, type Reg, type RegClass, test } from "oriscope/pass";

export default definePass({
  name: "into SSA",
  summary: "Gives each definition its own register, and merges them by PHIs.",
  run(fn, ctx) {
    const order = fn.order("reverse-postorder");
    const dominators = fn.dominators();
    const live = fn.liveness();
    const defs = new Map<Reg, Inst[]>();
    for (const block of order) for (const inst of block.insts) for (const reg of inst.defs) defs.set(reg, [...(defs.get(reg) ?? []), inst]);

    /** Registers that can be renamed: no definition may leave the old value, and nothing outside uses the name. */
    const variables = [...defs].filter(([reg, insts]) => {
      const own = classOf(reg) !== "B" && !fn.returns.includes(reg) && !isUniform(reg);
      return own && insts.every((inst) => inst.alwaysWrites && inst.defs.length === 1) && (insts.length > 1 || isRead(reg, insts[0]));
    });
    const phiOf = new Map<Inst, Reg>();
    const stacks = new Map<Reg, Reg[]>();
    /** Of each PHI the names that its inputs have where their predecessors end. */
    const arriving = new Map<Inst, Map<Block, Reg>>();

    const names = new Set(variables.map(([reg]) => reg));
    const shown = ctx.table("name of each register at this place");
    for (const [reg, insts] of variables)
      ctx.step(`${reg} has its definitions in ${[...new Set(insts.map((inst) => inst.block?.label))].join(", ")}`, { insts });
    ctx.rewrite(`each definition of ${[...names].join(", ")} gets its own name`, { regs: [...names] }, () => {
      for (const [reg, insts] of variables) insertPhis(reg, insts);
      rename();
    });

    /** Reads the value from before its only definition. */
    function isRead(reg: Reg, inst: Inst | undefined): boolean {
      return inst !== undefined && live.liveIn(fn.entry).has(reg);
    }

    function insertPhis(reg: Reg, insts: readonly Inst[]): void {
      const work = insts.flatMap((inst) => inst.block ?? []);
      const merged = new Set<Block>();
      for (let block = work.pop(); block !== undefined; block = work.pop()) {
        for (const join of dominators.frontier(block)) {
          // your turn: where is a PHI needed, and what follows from it?
          if (merged.has(join) || !live.liveIn(join).has(reg)) continue;
          // The function begins at the entry, and that way in has no predecessor to name.
          if (join === fn.entry) continue;
          merged.add(join);
          work.push(join);
          // end
          ctx.step(`definitions of ${reg} meet at ${join.label}`, { block: join });
          const inputs = join.preds.map((pred) => `[${pred.label}: ${reg}]`);
          phiOf.set(fn.prepend(join, `PHI ${reg}, ${inputs.join(", ")}`), reg);
        }
      }
    }

    function rename(): void {
      // A loop instead of recursion: dominator trees are deep.
      const work: (Block | { readonly leave: readonly Reg[] })[] = [fn.entry];
      for (let item = work.pop(); item !== undefined; item = work.pop()) {
        if ("leave" in item) {
          for (const reg of item.leave) {
            stacks.get(reg)?.pop();
            shown.set(reg, current(reg));
          }
          continue;
        }
        const pushed: Reg[] = [];
        for (const inst of item.insts) {
          if (!inst.isPhi) fn.mapUses(inst, current);
          fn.mapDefs(inst, (reg) => {
            if (!names.has(reg)) return reg;
            const fresh = fn.freshReg(classOf(reg));
            stacks.set(reg, [...(stacks.get(reg) ?? []), fresh]);
            shown.set(reg, fresh);
            pushed.push(reg);
            return fresh;
          });
        }
        for (const succ of item.succs) for (const phi of succ.phis) noteInput(phi, item);
        work.push({ leave: pushed }, ...dominators.children(item));
      }
      for (const [phi, byPred] of arriving) fillInputs(phi, byPred);
    }

    function current(reg: Reg): Reg {
      return stacks.get(reg)?.at(-1) ?? reg;
    }

    function noteInput(phi: Inst, from: Block): void {
      const input = phi.sources.find((source) => source.kind === "phi" && source.from === from);
      if (input?.kind !== "phi" || input.value.kind !== "reg") return;
      arriving.set(phi, (arriving.get(phi) ?? new Map<Block, Reg>()).set(from, current(input.value.reg)));
    }

    function fillInputs(phi: Inst, byPred: ReadonlyMap<Block, Reg>): void {
      const inputs = phi.sources.map((source, i) => {
        const text = phi.sourceTexts[i] ?? "";
        const name = source.kind === "phi" ? byPred.get(source.from) : undefined;
        return name === undefined ? text : text.replace(/:\s*(\S*?)(?:RD|R|P)\d+/, (_, sign: string) => `: ${sign}${name}`);
      });
      const now = `PHI ${phi.defs[0]}, ${inputs.join(", ")}`;
      if (now !== phi.text) fn.replace(phi, now);
    }
  },
});

const isUniform = (reg: Reg): boolean => reg.startsWith("U");

const classOf = (reg: Reg): RegClass => reg.replace(/\d+$/, "") as RegClass;

test(
  "two definitions meet",
  ".func f(p: P0, n: R0) -> R9\nA:\n@P0 BRA C\nB:\n  MOV R1, 1\n  BRA D\nC:\n  MOV R1, 2\nD:\n  IADD R9, R1, 0\n  RET",
  {
    after:
      ".func f(p: P0, n: R0) -> R9\nA:\n@P0 BRA C\nB:\n  MOV R1, 1\n  BRA D\nC:\n  MOV R2, 2\nD:\n  PHI R3, [B: R1], [C: R2]\n  IADD R9, R3, 0\n  RET",
  },
);

test(
  "one definition alone keeps its value without a PHI",
  ".func f(p: P0, n: R0) -> R9\nA:\n@P0 BRA C\nB:\n  MOV R1, 1\nC:\n  IADD R9, R0, 0\n  RET",
  {
    after: ".func f(p: P0, n: R0) -> R9\nA:\n@P0 BRA C\nB:\n  MOV R1, 1\nC:\n  IADD R9, R0, 0\n  RET",
  },
);
test(
  "a loop",
  `.func f(n: R0) -> R9
A:
  MOV R1, 0
B:
  IADD R1, R1, 1
  ISETP.LT P0, R1, R0
@P0 BRA B
C:
  IADD R9, R1, 0
  RET`,
  {
    after: `.func f(n: R0) -> R9
A:
  MOV R1, 0
B:
  PHI R2, [A: R1], [B: R3]
  IADD R3, R2, 1
  ISETP.LT P0, R3, R0
@P0 BRA B
C:
  IADD R9, R3, 0
  RET`,
  },
);
