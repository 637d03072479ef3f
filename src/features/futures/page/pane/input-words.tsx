/** An input in the words of the command line. */

import { plural } from "../../../../app/ui/plural.ts";
import type { InputText } from "../../../../engine/api/types.ts";

export function InputWords({ input }: { readonly input: InputText | null }) {
  if (input === null) return null;
  return (
    <span className="mono">
      · {plural(input.threads, "thread")} {[...input.args, ...input.mem].map((w) => (w.length > 60 ? `${w.slice(0, 57)}…` : w)).join(" ")}
      {input.note === null ? "" : ` (${input.note})`}
    </span>
  );
}
