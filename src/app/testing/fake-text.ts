/** Ori text for the fake engine: blocks of the first kernel, by the crudest reading that serves the tests. */

import type { BlockView, Diagnostic, InstView, Token } from "../../engine/api/types.ts";

const NO_FLAGS = { rpo: 0, latchExit: 0, flags: 0, flags2: 0, scratch120: 0, scratch232: 0, weight: null };

function tokens(text: string): readonly Token[] {
  return text
    .split(/(\s+|,|\[|\]|\+)/)
    .filter((t) => t !== "")
    .map((t, i): Token => {
      const reg = /^!?(?:R|RD|P|UR|UP|B)\d+$|^RZ$|^PT$/.test(t);
      return {
        text: t,
        kind: i === 0 ? "mnemonic" : reg ? "reg" : "punct",
        operand: null,
        regs: reg ? [t.replace("!", "")] : [],
        def: i === 2,
      };
    });
}

export function readText(text: string): { blocks: BlockView[]; diagnostics: Diagnostic[]; name: string } {
  const diagnostics: Diagnostic[] = [];
  const raw: { label: string; insts: InstView[]; line: number }[] = [];
  let name = "";
  let id = 0;
  let closed = true;
  for (const [index, full] of text.split("\n").entries()) {
    const line = full.replace(/\/\/.*$/, "").trim();
    if (line === "" || line.startsWith(".target") || line.startsWith(".weight")) continue;
    const kernel = /^\.kernel\s+(\w+)/.exec(line);
    if (kernel) {
      name = kernel[1] ?? "";
      continue;
    }
    const label = /^([A-Za-z_$.][\w$.]*):$/.exec(line);
    if (label) {
      raw.push({ label: label[1] ?? "", insts: [], line: index + 1 });
      closed = false;
      continue;
    }
    const code = /^(@!?U?P\w+\s+)?([A-Z][A-Z0-9.]*)\b/.exec(line);
    if (!code) {
      diagnostics.push({
        line: index + 1,
        column: 1,
        length: line.length,
        severity: "error",
        code: "ORI001",
        message: `can't read '${line.slice(0, 40)}'`,
        suggestion: null,
      });
      continue;
    }
    let block = raw.at(-1);
    if (block === undefined || closed) {
      block = { label: `${block?.label ?? "BB"}.${raw.length}`, insts: [], line: index + 1 };
      raw.push(block);
      closed = false;
    }
    const op = (code[2] ?? "").split(".")[0] ?? "";
    block.insts.push({ id: ++id, text: line, tokens: tokens(line), op, effect: op === "BRA" ? "control" : "pure", line: index + 1 });
    closed = op === "BRA" || op === "EXIT";
  }
  const byLabel = new Map(raw.map((b, i) => [b.label, i]));
  const blocks = raw.map((b, i): BlockView => {
    const last = b.insts.at(-1)?.text ?? "";
    const target = byLabel.get(/BRA\s+([\w.$]+)/.exec(last)?.[1] ?? "");
    const succs: number[] = [];
    const succKinds: BlockView["succKinds"][number][] = [];
    if (target !== undefined) {
      succs.push(target);
      succKinds.push(last.startsWith("@") ? "taken" : "jump");
    }
    if (!/^(BRA|EXIT)/.test(last) && i + 1 < raw.length && target !== i + 1) {
      succs.push(i + 1);
      succKinds.push("fall");
    }
    return { id: i, label: b.label, insts: b.insts, succs, preds: [], succKinds, line: b.line, ...NO_FLAGS };
  });
  const preds = blocks.map((b) => blocks.filter((p) => p.succs.includes(b.id)).map((p) => p.id));
  if (raw.length === 0)
    diagnostics.push({ line: 1, column: 1, length: 0, severity: "error", code: "ORI002", message: "no block", suggestion: null });
  return { blocks: blocks.map((b) => ({ ...b, preds: preds[b.id] ?? [] })), diagnostics, name: name || "kernel" };
}
