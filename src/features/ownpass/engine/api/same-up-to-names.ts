/** Whether two programs are the same but for the names of their registers and labels, and for comments and space. */

import type { Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../../../engine/ir/reg.ts";
import type { Func, Inst, Operand } from "../../../../engine/ir/types.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { guardText } from "../../../../engine/text/printer.ts";

export function sameUpToNames(a: string, b: string): boolean {
  return plainText(a) === plainText(b);
}

/** The program with registers and labels numbered in order of appearance; a text that is not a program is compared unchanged. */
function plainText(text: string): string {
  const source = /^[ \t]*\.(?:kernel|func|target|symbol)\b/m.test(text) ? text : `.kernel program()\n${text}`;
  const { module, diagnostics } = parseModule(source);
  if (diagnostics.some((d) => d.severity === "error") || module.funcs.length === 0) return `not a program: ${text.trim()}`;
  return module.funcs.map(canonical).join("\n");
}

function canonical(fn: Func): string {
  const regs = new Map<Reg, string>();
  const nameOf = (r: Reg): string => {
    if (isConstantReg(r)) return regName(r);
    let name = regs.get(r);
    if (name === undefined) {
      name = `${regClass(r)}#${regs.size}`;
      regs.set(r, name);
    }
    return name;
  };
  for (const { reg } of fn.params) nameOf(reg);
  const places = new Map(fn.layout.map((id, i) => [id, i] as const));
  const place = (id: Func["layout"][number]): string => `L${places.get(id) ?? "?"}`;
  const operandText = (operand: Operand): string => {
    switch (operand.kind) {
      case "reg":
        return `${operand.neg ? "-" : ""}${operand.not ? "~" : ""}${operand.abs ? "|" : ""}${nameOf(operand.reg)}`;
      case "label":
        return place(operand.block);
      case "phi":
        return `[${place(operand.pred)}: ${operandText(operand.value)}]`;
      case "mem":
        return `[${operand.base === null ? "" : nameOf(operand.base)}+${operand.index === null ? "" : nameOf(operand.index)}+${operand.offset}]`;
      case "cbank":
        return `c[${operand.bank}][${operand.base === null ? "" : nameOf(operand.base)}+${operand.offset}]${operand.neg}${operand.abs}`;
      case "vec":
      case "list":
        return `{${operand.regs.map(nameOf).join(" ")}}`;
      case "imm64":
        return String(operand.value);
      case "table": {
        const table = fn.tables.get(operand.name);
        return `table(${table === undefined ? operand.name : [table.base, table.default === null ? "" : place(table.default), ...table.entries.map(place)].join(" ")})`;
      }
      case "imm":
      case "f32":
      case "f64":
      case "sreg":
      case "text":
      case "sym":
        return JSON.stringify(operand);
    }
  };
  const instText = (inst: Inst): string => {
    const guard = inst.guard === null ? "" : `${guardText(inst.guard).replace(/(?<![A-Z])[A-Z]+\d+/, "")}${nameOf(inst.guard.reg)} `;
    return `${guard}${[inst.op, ...inst.mods].join(".")} ${inst.ops.map(operandText).join(", ")}`;
  };
  const blocks = fn.layout.map((id) => `${place(id)}:\n${fn.blocks[id]?.insts.map(instText).join("\n") ?? ""}`);
  return `${fn.kind}(${fn.params.map((p) => nameOf(p.reg)).join(",")})->${fn.returns.map(nameOf).join(",")}\n${blocks.join("\n")}`;
}
