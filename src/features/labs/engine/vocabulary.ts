/** The words of a lab's file, from the schemas that read it: completions for its author. */

import type * as v from "valibot";
import { KINDS } from "./kinds/kinds.ts";
import { frontSchema } from "./read/front.ts";
import { COMMON } from "./read/task-fence.ts";

export interface Word {
  readonly name: string;
  /** What it may be set to, where that is a list of words. */
  readonly values: readonly string[];
}

export interface Vocabulary {
  readonly front: readonly Word[];
  /** Fields of a task of any kind. */
  readonly task: readonly Word[];
  readonly kinds: Readonly<Record<string, readonly Word[]>>;
}

export function vocabulary(): Vocabulary {
  return {
    front: wordsOf(frontSchema.entries),
    task: wordsOf(COMMON).map((word) => (word.name === "kind" ? { ...word, values: KINDS.map((k) => k.name) } : word)),
    kinds: Object.fromEntries(KINDS.map((kind) => [kind.name, wordsOf(kind.fields)])),
  };
}

const wordsOf = (entries: v.ObjectEntries): readonly Word[] =>
  Object.entries(entries).map(([name, schema]) => ({ name, values: valuesOf(schema as Schema) }));

/** The parts of a schema that lead to a list of words. */
interface Schema {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly pipe?: readonly Schema[];
  readonly options?: readonly unknown[];
}

function valuesOf({ type, wrapped, item, pipe, options }: Schema): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  if (type === "picklist") return (options ?? []).map(String);
  const [first] = pipe ?? [];
  // The first of a pipe is the schema itself.
  const inner = wrapped ?? item ?? (first?.type === type ? (first.wrapped ?? first.item) : first);
  return inner === undefined ? [] : valuesOf(inner);
}
