/** Which selectors the 32 lanes of the measured warp have. */

import { useState } from "react";
import type { SelectorDistribution } from "../../../engine/api/types.ts";
import { TextField } from "../../ui/field.tsx";
import { Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";

const KINDS: readonly { readonly value: SelectorDistribution["kind"]; readonly title: string }[] = [
  { value: "cases", title: "each case in turn" },
  { value: "one", title: "one value for all lanes" },
  { value: "default", title: "no case (default)" },
  { value: "random", title: "random, in range" },
  { value: "values", title: "these values" },
];

export interface SelectorChoiceProps {
  readonly distribution: SelectorDistribution;
  /** A case, to start from. */
  readonly first: number;
  readonly onChange: (distribution: SelectorDistribution) => void;
}

export function SelectorChoice({ distribution, first, onChange }: SelectorChoiceProps) {
  const [text, setText] = useState(valueText(distribution, first));
  const problem = wrong(distribution.kind, text);
  const typed = (next: string) => {
    setText(next);
    const made = distributionOf(distribution.kind, next);
    if (made !== null) onChange(made);
  };
  const picked = (kind: SelectorDistribution["kind"]) => {
    const start = kind === "random" ? "1" : kind === "values" ? `${first}, ${first + 1}` : String(first);
    setText(start);
    const made = distributionOf(kind, start);
    if (made !== null) onChange(made);
  };
  const label = { one: "Value", random: "Seed", values: "Values, lane by lane" };
  return (
    <Toolbar>
      <Select
        label="Lanes take"
        value={distribution.kind}
        options={KINDS}
        onChange={(value) => {
          const kind = KINDS.find((k) => k.value === value)?.value;
          if (kind !== undefined) picked(kind);
        }}
      />
      {distribution.kind === "cases" || distribution.kind === "default" ? null : (
        <TextField label={label[distribution.kind]} hideLabel mono value={text} onChange={typed} error={problem} />
      )}
    </Toolbar>
  );
}

/** null while the text is not what the kind needs. */
export function distributionOf(kind: SelectorDistribution["kind"], text: string): SelectorDistribution | null {
  const words = text.split(/[\s,]+/).filter(Boolean);
  const numbers = words.map(Number);
  const fine = numbers.length > 0 && numbers.every((n) => Number.isInteger(n) && n >= -0x80000000 && n <= 0xffffffff);
  switch (kind) {
    case "cases":
    case "default":
      return { kind };
    case "one":
      return fine && numbers.length === 1 ? { kind, value: numbers[0] ?? 0 } : null;
    case "random":
      return fine && numbers.length === 1 ? { kind, seed: numbers[0] ?? 0 } : null;
    case "values":
      return fine && numbers.length <= 32 ? { kind, values: numbers } : null;
  }
}

function wrong(kind: SelectorDistribution["kind"], text: string): string | null {
  if (distributionOf(kind, text) !== null) return null;
  return kind === "values" ? "1 to 32 integers of 32 bits" : "one 32-bit integer";
}

function valueText(distribution: SelectorDistribution, first: number): string {
  switch (distribution.kind) {
    case "one":
      return String(distribution.value);
    case "random":
      return String(distribution.seed);
    case "values":
      return distribution.values.join(", ");
    case "cases":
    case "default":
      return String(first);
  }
}
