/** The difference of any two moments. */

import type { Moment } from "../../engine/api/types.ts";
import { plainName } from "../names/phases.ts";
import { useActions, useEngineQuery, useSession, useSessionObject } from "../session/hooks.ts";
import { selectPhases } from "../session/selectors.ts";
import type { DiffEnd } from "../session/state.ts";
import { phaseNumber } from "../timeline/status.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Select } from "../ui/select.tsx";
import styles from "./editor.module.css";
import { TextDiff } from "./text-diff.tsx";

export function DiffTab() {
  const session = useSessionObject();
  const { view } = useActions();
  const { left, right } = useSession((s) => s.view.diff);
  const position = useSession((s) => s.position);
  const phases = useSession(selectPhases);

  const resolve = (end: DiffEnd): Moment | null => {
    if (end === "current") return position.run < 0 ? null : { run: position.run, step: position.step };
    if (end === "start" || end === "end") return position.run < 0 ? null : { run: position.run, step: end === "start" ? -1 : null };
    if (end.phase === null) return { run: -1, step: null };
    const run = phases.findIndex((p) => p.id === end.phase);
    return run < 0 ? null : { run, step: end.step };
  };
  const a = resolve(left);
  const b = resolve(right);
  const key = a === null || b === null ? null : `${a.run}@${a.step}|${b.run}@${b.step}`;
  const { data, error } = useEngineQuery(key, async (api) => {
    if (a === null || b === null) throw new Error("there is no such step");
    const [l, r] = await Promise.all([api.text(a), api.text(b)]);
    return { left: l.text, right: r.text };
  });

  const options = [
    { value: "input", title: "as written" },
    { value: "current", title: "this step" },
    { value: "start", title: "before this phase" },
    { value: "end", title: "after this phase" },
    ...phases.filter((p) => p.ran && p.changed).map((p) => ({ value: p.id, title: `after ${phaseNumber(p)} ${plainName(p)}` })),
  ];
  const here = phases[position.run]?.id ?? null;
  const toEnd = (value: string): DiffEnd => {
    if (value === "current" || value === "start" || value === "end") return value;
    return { phase: value === "input" ? null : value, step: null };
  };
  const toValue = (end: DiffEnd): string => {
    if (typeof end === "string") return end;
    if (end.phase === null) return "input";
    if (end.phase === here) return end.step === -1 ? "start" : "end";
    return end.phase;
  };
  const known = (end: DiffEnd) => {
    const value = toValue(end);
    return options.some((o) => o.value === value) ? options : [...options, { value, title: `after ${value}` }];
  };
  return (
    <div className={styles.pane}>
      <div className={styles.diffbar}>
        <Select
          label="Left"
          value={toValue(left)}
          options={known(left)}
          onChange={(value) => {
            const end = toEnd(value);
            view.set({ diff: { left: end === "current" ? session.actions.position.named() : end, right } });
          }}
        />
        <Select
          label="Right"
          value={toValue(right)}
          options={known(right)}
          onChange={(value) => view.set({ diff: { left, right: toEnd(value) } })}
        />
        <Button
          onClick={() => view.set({ diff: { left: session.actions.position.named(), right: "current" } })}
          title="Keep this step on the left while you step on"
        >
          Pin this step
        </Button>
      </div>
      {error === null ? null : <EmptyState title="The two steps could not be compared.">{error}</EmptyState>}
      {data !== null && data.left === data.right ? <p className={styles.status}>The program is the same at both steps.</p> : null}
      <TextDiff left={data?.left ?? null} right={data?.right ?? null} />
    </div>
  );
}
