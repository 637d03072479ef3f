/** A JSON schema of an object as a Markdown table: a row a field, nested objects with dotted names. */

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

export function schemaTable(schema: object): string {
  const root = schema as Schema;
  const type = String(root.properties?.type?.const ?? "");
  const rows = fields(root, "").filter(([name]) => name !== "type");
  const body = rows.map(([name, kind, needed, text]) => `| \`${name}\` | ${kind} | ${needed ? "yes" : ""} | ${text} |`);
  return [`### \`"type": "${type}"\``, "", "| field | value | needed | meaning |", "|---|---|---|---|", ...body, ""].join("\n");
}

type Row = readonly [name: string, kind: string, needed: boolean, text: string];

function fields({ properties, required }: Schema, prefix: string): Row[] {
  return Object.entries(properties ?? {}).flatMap(([key, value]): Row[] => {
    const name = prefix + key;
    const row: Row = [name, kindOf(value), required?.includes(key) === true, value.description ?? ""];
    const inner = value.type === "array" && !isList(value.items) ? value.items : value;
    const nested = inner?.properties === undefined ? [] : fields(inner, `${name}${inner === value ? "" : "[]"}.`);
    return [row, ...nested];
  });
}

const isList = (items: Schema["items"]): items is readonly Schema[] => Array.isArray(items);

function kindOf({ type, anyOf, items, enum: values, additionalProperties }: Schema): string {
  if (values !== undefined) return values.length > 12 ? "one of the kinds below" : values.map((value) => `\`${String(value)}\``).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindOf))].join(" or ");
  if (type === "array") return items === undefined ? "list" : isList(items) ? "pair" : `list of: ${kindOf(items)}`;
  if (type === "object" && typeof additionalProperties === "object") return "object of named values";
  return type ?? "any";
}
