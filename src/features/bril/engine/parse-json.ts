/** Reads the JSON form of Bril, its canonical one. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import type { BrilFunction, BrilInst, BrilItem, BrilName, BrilParam, BrilProgram, BrilType, BrilValue } from "./ast.ts";
import type { BrilCode } from "./codes.ts";
import { type JsonNode, readJson } from "./json.ts";
import { charValue, fitValue, MAX_POINTERS, MOST_ARGS, namedType, numberValue } from "./values.ts";

export function parseBrilJson(text: string, sink: DiagnosticSink<BrilCode>): BrilProgram {
  const root = readJson(text, {
    problem: (at, message) => sink.report("BRIL007", at, message),
    twice: (at, key) => sink.report("BRIL009", at, `the key '${clip(key)}' occurs twice in this object`),
  });
  return root === null ? { functions: [] } : new Reader(sink).program(root);
}

type ObjectNode = Extract<JsonNode, { kind: "object" }>;

const POSITIONS = ["pos", "pos_end", "src"] as const;
const KEYS = {
  program: ["functions"],
  function: ["name", "args", "type", "instrs"],
  label: ["label"],
  instruction: ["op", "dest", "type", "args", "funcs", "labels", "value"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

class Reader {
  private readonly sink: DiagnosticSink<BrilCode>;

  constructor(sink: DiagnosticSink<BrilCode>) {
    this.sink = sink;
  }

  program(node: JsonNode): BrilProgram {
    const root = this.object(node, "the program");
    if (root === null) return { functions: [] };
    const imports = root.members.get("imports") ?? root.members.get("structs");
    if (imports !== undefined) this.wrong(imports, "imports and structs are not supported: put the functions into this text");
    this.checkKeys(root, [...KEYS.program, "imports", "structs"]);
    const functions = this.list(root, "functions", true).flatMap((f) => {
      const found = this.func(f);
      return found === null ? [] : [found];
    });
    return { functions };
  }

  private func(node: JsonNode): BrilFunction | null {
    const found = this.object(node, "a function");
    if (found === null) return null;
    this.checkKeys(found, KEYS.function);
    const name = this.text(found, "name", "a function's name");
    if (name === null) return null;
    const params = this.few(found, "args").flatMap((a) => this.param(a));
    const type = this.type(found);
    const items = this.list(found, "instrs", true).flatMap((i) => {
      const item = this.item(i);
      return item === null ? [] : [item];
    });
    return { name, params, type, items, endLine: found.endLine };
  }

  private param(node: JsonNode): readonly BrilParam[] {
    const found = this.object(node, "a parameter");
    if (found === null) return [];
    const name = this.text(found, "name", "a parameter's name");
    const type = this.type(found);
    if (name === null) return [];
    if (type === null) this.missing(found, "type", "a parameter's type");
    return [{ name, type: type ?? "int" }];
  }

  private item(node: JsonNode): BrilItem | null {
    const found = this.object(node, "an instruction or a label");
    if (found === null) return null;
    if (found.members.has("label")) {
      this.checkKeys(found, KEYS.label);
      const name = this.text(found, "label", "a label");
      return name === null ? null : { kind: "label", name };
    }
    this.checkKeys(found, KEYS.instruction);
    const op = this.text(found, "op", "the operation");
    if (op === null) return null;
    const dest = found.members.has("dest") ? this.text(found, "dest", "the destination") : null;
    const type = this.type(found);
    const names = (key: string): BrilName[] => this.few(found, key).flatMap((n) => this.name(n, `an entry of ${key}`) ?? []);
    const inst = { kind: "inst", op: op.text, dest, type, at: found.at } as const;
    if (op.text !== "const") return { ...inst, args: names("args"), funcs: names("funcs"), labels: names("labels"), value: null };
    return { ...inst, args: [], funcs: [], labels: [], value: this.value(found, type) } satisfies BrilInst;
  }

  private value(node: ObjectNode, type: BrilType | null): BrilValue | null {
    const found = node.members.get("value");
    if (found === undefined) {
      this.missing(node, "value", "a constant's value");
      return null;
    }
    const read = literal(found, type);
    const fitted = typeof read === "string" ? read : fitValue(read, type);
    if (typeof fitted !== "string") return fitted;
    this.sink.report("BRIL006", found.at, fitted);
    return null;
  }

  private type(node: ObjectNode): BrilType | null {
    let found = node.members.get("type");
    if (found === undefined || isNull(found)) return null;
    let depth = 0;
    while (found.kind === "object" && depth < MAX_POINTERS) {
      const inner: JsonNode | undefined = found.members.get("ptr");
      if (inner === undefined || found.members.size !== 1) {
        this.sink.report("BRIL010", found.at, `the only type with a parameter here is ptr`, '{"ptr": "int"}');
        return null;
      }
      found = inner;
      depth++;
    }
    let type = found.kind === "string" ? namedType(found.text) : null;
    if (type === null) {
      const name = found.kind === "string" ? ` ${clip(found.text)}` : " like this";
      this.sink.report("BRIL010", found.at, `there is no type${name} here`, "int, bool, float, char, ptr<…>");
      return null;
    }
    for (let i = 0; i < depth; i++) type = { ptr: type };
    return type;
  }

  private text(node: ObjectNode, key: string, what: string): BrilName | null {
    const found = node.members.get(key);
    if (found === undefined) {
      this.missing(node, key, what);
      return null;
    }
    return this.name(found, what);
  }

  private name(node: JsonNode, what: string): BrilName | null {
    if (node.kind === "string") return { text: node.text, at: node.at };
    this.wrong(node, `${what} is a string, not ${kindOf(node)}`);
    return null;
  }

  private list(node: ObjectNode, key: string, required: boolean): readonly JsonNode[] {
    const found = node.members.get(key);
    if (found === undefined || (isNull(found) && !required)) {
      if (required) this.missing(node, key, "a list");
      return [];
    }
    if (found.kind === "array") return found.items;
    this.wrong(found, `${key} is a list, not ${kindOf(found)}`);
    return [];
  }

  /** A list of arguments, functions, labels or parameters. */
  private few(node: ObjectNode, key: string): readonly JsonNode[] {
    const items = this.list(node, key, false);
    const beyond = items[MOST_ARGS];
    if (beyond !== undefined) this.sink.report("BRIL027", beyond.at, `${key} has more than ${MOST_ARGS} entries`);
    return items.slice(0, MOST_ARGS);
  }

  private object(node: JsonNode, what: string): ObjectNode | null {
    if (node.kind === "object") return node;
    this.wrong(node, `${what} is an object, not ${kindOf(node)}`);
    return null;
  }

  private checkKeys(node: ObjectNode, known: readonly string[]): void {
    for (const [key, value] of node.members) {
      if (known.includes(key) || POSITIONS.some((p) => p === key)) continue;
      this.sink.report("BRIL024", value.at, `the format has no key '${clip(key)}' here; it was ignored`);
    }
  }

  private missing(node: ObjectNode, key: string, what: string): void {
    this.sink.report("BRIL008", node.at, `the key '${key}' is missing: ${what}`);
  }

  private wrong(node: JsonNode, message: string): void {
    this.sink.report("BRIL008", node.at, message);
  }
}

/** A constant's value, or what is wrong with it. */
function literal(node: JsonNode, type: BrilType | null): BrilValue | string {
  if (node.kind === "number") {
    const read = numberValue(node.text);
    // `1e3` and `2.0` are integers to a reader of JSON.
    if (type === "int" && read.kind === "float" && Number.isSafeInteger(read.value)) return { kind: "int", value: BigInt(read.value) };
    return read;
  }
  if (node.kind === "word" && node.word !== "null") return { kind: "bool", value: node.word === "true" };
  if (node.kind === "string") {
    const float = type === "float" ? FLOAT_WORDS.get(node.text) : undefined;
    return float === undefined ? (charValue(node.text) ?? "a character is a string of one") : { kind: "float", value: float };
  }
  return `a constant is a number, a bool or a character, not ${kindOf(node)}`;
}

// JSON has no other way to write them.
const FLOAT_WORDS: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

const isNull = (node: JsonNode): boolean => node.kind === "word" && node.word === "null";

const kindOf = (node: JsonNode): string =>
  ({ object: "an object", array: "a list", string: "a string", number: "a number", word: node.kind === "word" ? node.word : "" })[
    node.kind
  ];

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
