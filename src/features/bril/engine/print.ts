/** Bril programs as text and as JSON, in one canonical form. */

import { type BrilFunction, type BrilInst, type BrilItem, type BrilProgram, type BrilType, type BrilValue, showType } from "./ast.ts";
import { charText } from "./values.ts";

export function printBrilText(program: BrilProgram): string {
  return program.functions.map(printBrilFunction).join("\n");
}

export function printBrilFunction({ name, params, type, items }: BrilFunction): string {
  const list = params.length === 0 ? "" : `(${params.map((p) => `${p.name.text}: ${showType(p.type)}`).join(", ")})`;
  const head = `@${name.text}${list}${type === null ? "" : `: ${showType(type)}`} {`;
  return [head, ...items.map(itemText), "}", ""].join("\n");
}

export function itemText(item: BrilItem): string {
  return item.kind === "label" ? `.${item.name.text}:` : `  ${instText(item)};`;
}

function instText({ op, dest, type, args, funcs, labels, value }: BrilInst): string {
  const words = [op];
  if (value !== null) words.push(valueText(value));
  words.push(...funcs.map((f) => `@${f.text}`));
  // A phi reads best in pairs.
  if (op === "phi" && labels.length === args.length) for (const [i, a] of args.entries()) words.push(a.text, `.${labels[i]?.text}`);
  else words.push(...args.map((a) => a.text), ...labels.map((l) => `.${l.text}`));
  const left = dest === null ? "" : `${dest.text}${type === null ? "" : `: ${showType(type)}`} = `;
  return left + words.join(" ");
}

function valueText(value: BrilValue): string {
  switch (value.kind) {
    case "int":
    case "bool":
      return String(value.value);
    case "float":
      return floatText(value.value);
    case "char":
      return charText(value.code) ?? `'\\u${value.code.toString(16)}'`;
  }
}

/** Digits enough to give the same double again, always readable as a float. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** What the text form cannot express, in words; null if everything in the function has a spelling. */
export function textProblem({ name, params, items }: BrilFunction): string | null {
  const names = [name.text, ...params.map((p) => p.name.text)];
  for (const item of items) {
    if (item.kind === "label") {
      names.push(item.name.text);
      continue;
    }
    if (item.dest !== null) names.push(item.dest.text);
    const { value } = item;
    if (value?.kind === "float" && !Number.isFinite(value.value)) return `${value.value} has no spelling in Bril's text`;
    if (value?.kind === "char" && charText(value.code) === null) return `the character ${value.code} has no spelling in Bril's text`;
  }
  const odd = names.find((n) => !/^[A-Za-z_%][\w.%]*$/.test(n));
  return odd === undefined ? null : `'${odd}' is not a name in Bril's text`;
}

/** One line an instruction, as plain objects print. */
export function printBrilJson(program: BrilProgram): string {
  const functions = program.functions.map((fn) => {
    const head = [
      `"name": ${JSON.stringify(fn.name.text)}`,
      ...(fn.params.length === 0
        ? []
        : [`"args": [${fn.params.map((p) => `{"name": ${JSON.stringify(p.name.text)}, "type": ${jsonType(p.type)}}`).join(", ")}]`]),
      ...(fn.type === null ? [] : [`"type": ${jsonType(fn.type)}`]),
    ];
    const items = fn.items.map((item) => `        ${jsonItem(item)}`).join(",\n");
    return `    {\n      ${head.join(",\n      ")},\n      "instrs": [${items === "" ? "" : `\n${items}\n      `}]\n    }`;
  });
  return `{\n  "functions": [${functions.length === 0 ? "" : `\n${functions.join(",\n")}\n  `}]\n}\n`;
}

function jsonItem(item: BrilItem): string {
  if (item.kind === "label") return `{"label": ${JSON.stringify(item.name.text)}}`;
  const { op, dest, type, args, funcs, labels, value } = item;
  const parts = [`"op": ${JSON.stringify(op)}`];
  if (dest !== null) parts.push(`"dest": ${JSON.stringify(dest.text)}`);
  if (type !== null) parts.push(`"type": ${jsonType(type)}`);
  if (value !== null) parts.push(`"value": ${jsonValue(value)}`);
  for (const [key, names] of [
    ["funcs", funcs],
    ["args", args],
    ["labels", labels],
  ] as const)
    if (names.length > 0) parts.push(`"${key}": [${names.map((n) => JSON.stringify(n.text)).join(", ")}]`);
  return `{${parts.join(", ")}}`;
}

const jsonType = (type: BrilType): string => (typeof type === "string" ? `"${type}"` : `{"ptr": ${jsonType(type.ptr)}}`);

function jsonValue(value: BrilValue): string {
  switch (value.kind) {
    case "int":
    case "bool":
      return String(value.value);
    case "float":
      return Number.isFinite(value.value) ? floatText(value.value) : `"${value.value}"`;
    case "char":
      return JSON.stringify(String.fromCodePoint(value.code));
  }
}
