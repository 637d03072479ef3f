/** The form of a sentence, as rules have it, for a reader who has no event to fill it: `{block}` becomes ‹block›, `{count:place|places}` places. */

import { factName } from "./facts.ts";

export function readableForm(form: string): string {
  return form.replace(/'?\{(\w+)(?::([^{}|]*)(?:\|([^{}]*))?)?\}'?/g, (_, name: string, one?: string, many = "") =>
    one === undefined ? `‹${factName(name)}›` : many,
  );
}
