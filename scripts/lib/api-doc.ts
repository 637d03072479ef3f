/** The library's public names as Markdown: each declaration as its source has it, comments included, from the entry's own exports. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "rolldown/utils";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Found {
  readonly name: string;
  readonly kind: "function" | "value" | "class" | "type";
  readonly text: string;
}

const GROUPS: readonly (readonly [title: string, kinds: readonly Found["kind"][]])[] = [
  ["Functions and values", ["function", "value"]],
  ["Classes", ["class"]],
  ["Types", ["type"]],
];

export function apiDoc(entry: string): string {
  const found = exportsOf(entry, null);
  return GROUPS.flatMap(([title, kinds]) => {
    const own = found.filter((f) => kinds.includes(f.kind)).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (own.length === 0) return [];
    return `## ${title}\n\n${own.map(({ name, text }) => `### ${name}\n\n\`\`\`ts\n${text}\n\`\`\`\n`).join("\n")}`;
  }).join("\n");
}

/** What a module exports; `wanted` null: everything. */
function exportsOf(file: string, wanted: ReadonlySet<string> | null): Found[] {
  const source = readFileSync(file, "utf8");
  const { program } = parseSync(file, source);
  const found: Found[] = [];
  const later = new Map<string, Set<string>>();
  for (const node of program.body as unknown as Node[]) {
    if (node.type !== "ExportNamedDeclaration") continue;
    const declaration = node.declaration as Node | null;
    if (declaration !== null) {
      const name = nameOf(declaration);
      if (wanted === null || wanted.has(name))
        found.push({ name, kind: kindOf(declaration), text: declarationText(source, node, declaration) });
      continue;
    }
    const from = (node.source as { readonly value?: string } | null)?.value;
    if (from === undefined) continue;
    const path = join(dirname(file), from);
    for (const specifier of node.specifiers as readonly { readonly exported: { readonly name: string } }[]) {
      if (wanted !== null && !wanted.has(specifier.exported.name)) continue;
      const names = later.get(path) ?? new Set();
      names.add(specifier.exported.name);
      later.set(path, names);
    }
  }
  for (const [path, names] of later) {
    const inner = exportsOf(path, names);
    const missing = [...names].filter((name) => !inner.some((f) => f.name === name));
    if (missing.length > 0) throw new Error(`${path} declares no ${missing.join(", ")}`);
    found.push(...inner);
  }
  return found;
}

function nameOf(declaration: Node): string {
  const own = declaration.id as { readonly name?: string } | undefined;
  const first = (declaration.declarations as readonly { readonly id: { readonly name?: string } }[] | undefined)?.[0];
  return own?.name ?? first?.id.name ?? "";
}

function kindOf({ type }: Node): Found["kind"] {
  if (type === "FunctionDeclaration") return "function";
  if (type === "ClassDeclaration") return "class";
  return type === "VariableDeclaration" ? "value" : "type";
}

/** The comment before it, and the declaration without bodies and private members. */
function declarationText(source: string, node: Node, declaration: Node): string {
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, node.start))?.[0].trimEnd() ?? "";
  const lines = comment === "" ? [] : [comment];
  if (declaration.type === "FunctionDeclaration") lines.push(signature(source, declaration));
  else if (declaration.type === "ClassDeclaration") lines.push(...classText(source, declaration));
  else if (declaration.type === "VariableDeclaration")
    lines.push(source.slice(declaration.start, declaration.end).replace(/ = [\s\S]*$/, ";"));
  else lines.push(source.slice(declaration.start, declaration.end));
  return lines.join("\n");
}

function signature(source: string, fn: Node): string {
  const body = fn.body as Node;
  return `${source.slice(fn.start, body.start).trim()};`;
}

function classText(source: string, declaration: Node): string[] {
  const body = declaration.body as Node & {
    readonly body: readonly (Node & { readonly accessibility?: string; readonly value?: Node | null })[];
  };
  const members = body.body.flatMap((member) => {
    if (member.accessibility === "private") return [];
    const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(body.start, member.start))?.[0].trimEnd();
    const inner = (member.value as { readonly body?: Node } | null | undefined)?.body;
    const end = inner === undefined || inner === null ? member.end : inner.start;
    const text = source.slice(member.start, end).trim();
    return [...(comment === undefined ? [] : [`  ${comment}`]), `  ${text.replace(/;$/, "")};`];
  });
  return [`${source.slice(declaration.start, body.start).trim()} {`, ...members, "}"];
}
