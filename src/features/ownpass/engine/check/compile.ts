/** Compiles the TypeScript of a pass to JavaScript that reports the running line: types are removed, and each statement is preceded by one that reports its line. */

import { type AnyNode, type BlockStatement, type Node, parse } from "acorn";
import { transform } from "sucrase";
import { messageOf } from "../../../../base/errors.ts";
import { PROBE } from "./probe.ts";

export interface CompileProblem {
  /** From 1; 0: not known. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type Compiled = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly problem: CompileProblem };

export const MOST_SOURCE = 1_000_000;

/** Types are not checked, which is left to the editor. Line numbers do not change. */
export function compilePass(source: string): Compiled {
  if (source.length > MOST_SOURCE) return problem(0, 0, `A pass of ${source.length} characters is too long: at most ${MOST_SOURCE}.`);
  try {
    const { code } = transform(source, { transforms: ["typescript", "imports"], disableESTransforms: true, production: true });
    return { ok: true, code: withProbes(code) };
  } catch (error) {
    if (error instanceof RangeError) return problem(0, 0, "The pass is nested too deeply.");
    const message = messageOf(error);
    const at = /\((\d+):(\d+)\)/.exec(message);
    return problem(
      Number(at?.[1] ?? 0),
      Number(at?.[2] ?? 0),
      message.replace(/^Error transforming [^:]*: /, "").replace(/ ?\(\d+:\d+\)/, ""),
    );
  }
}

const problem = (line: number, column: number, message: string): Compiled => ({ ok: false, problem: { line, column, message } });

interface Insertion {
  readonly at: number;
  readonly text: string;
}

function withProbes(code: string): string {
  const tree = parse(code, { ecmaVersion: 2023, sourceType: "script", allowReturnOutsideFunction: true, locations: true });
  const insertions: Insertion[] = [];
  const probe = (node: Node): string => `${PROBE}[0]=${node.loc?.start.line ?? 0}`;
  const body = (node: Node | null | undefined): void => {
    if (node == null) return;
    if (node.type === "BlockStatement") {
      // An empty body of a loop has no statement that could report.
      if ((node as BlockStatement).body.length === 0) insertions.push({ at: node.start + 1, text: `${probe(node)};` });
      return;
    }
    insertions.push({ at: node.start, text: `{${isPlain(node) ? `${probe(node)};` : ""}` }, { at: node.end, text: "}" });
  };
  const nodes: Node[] = [tree];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const known = node as AnyNode;
    switch (known.type) {
      case "Program":
      case "BlockStatement":
      case "StaticBlock":
        for (const child of known.body) if (isPlain(child)) insertions.push({ at: child.start, text: `${probe(child)};` });
        break;
      case "SwitchCase":
        for (const child of known.consequent) if (isPlain(child)) insertions.push({ at: child.start, text: `${probe(child)};` });
        break;
      case "IfStatement":
        body(known.consequent);
        // `else if` can be preceded by a statement only inside braces.
        body(known.alternate);
        break;
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
        body(known.body);
        break;
      case "LabeledStatement":
        break;
      case "ArrowFunctionExpression":
        if (known.body.type !== "BlockStatement")
          insertions.push({ at: known.body.start, text: `(${probe(known.body)},` }, { at: known.body.end, text: ")" });
        break;
      default:
        break;
    }
    for (const value of Object.values(node) as readonly unknown[]) {
      for (const child of Array.isArray(value) ? (value as readonly unknown[]) : [value]) if (isNode(child)) nodes.push(child);
    }
  }
  return inserted(code, insertions);
}

/** A statement before which a call may be inserted. */
function isPlain(node: Node): boolean {
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") return false;
  return !("directive" in node);
}

/** At one position, insertions that end something come first, from the inside out, then those that begin something. */
function inserted(code: string, insertions: readonly Insertion[]): string {
  const order = insertions.map((insertion, i) => ({ ...insertion, i, ends: insertion.text === "}" || insertion.text === ")" }));
  order.sort((a, b) => a.at - b.at || Number(b.ends) - Number(a.ends) || (a.ends ? b.i - a.i : a.i - b.i));
  let text = "";
  let from = 0;
  for (const { at, text: put } of order) {
    text += code.slice(from, at) + put;
    from = at;
  }
  return text + code.slice(from);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { readonly type?: unknown }).type === "string";
