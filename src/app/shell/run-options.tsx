/** For which target, at which level and by whose rules the program is run, and what its text is read as: one button, and what it opens. */

import { useId, useMemo } from "react";
import { FORMAT_NAMES, FORMATS } from "../../base/formats.ts";
import { POLICY_TITLES } from "../names/policies.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { formatsOf } from "../session/language.ts";
import { selectRecorded } from "../session/selectors.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Row } from "../ui/layout.tsx";
import { Select } from "../ui/select.tsx";
import { namesTarget } from "./named-target.ts";
import styles from "./run-options.module.css";

const TARGETS = ["sm_30", "sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_100"];

export function RunOptions() {
  return useSession(selectRecorded) ? (
    <Row as="span" pad={[0, 2]} className="quiet nowrap">
      recorded trace
    </Row>
  ) : (
    <LiveOptions />
  );
}

function LiveOptions() {
  const { target, level, policy } = useSession((s) => s.options.pipeline);
  const ranTarget = useSession((s) => s.run.result?.target ?? null);
  const text = useSession((s) => s.document.text);
  const isNamed = useMemo(() => namesTarget(text), [text]);
  const actions = useActions();
  const id = useId();
  return (
    <>
      <Button
        variant="quiet"
        popoverTarget={id}
        title="Target, optimization level, rules and source format"
        className="nowrap"
        style={{ anchorName: "--run-options" }}
      >
        {`${target ?? ranTarget ?? "sm_90"} · -O${level} · ${POLICY_TITLES[policy]} ▾`}
      </Button>
      <fieldset id={id} popover="auto" className={cx(styles.popover, "floating")} aria-label="How the program is run">
        <Select
          label="Target"
          title="Target architecture"
          value={target ?? "auto"}
          options={[
            {
              value: "auto",
              title: target === null && ranTarget !== null ? `${ranTarget} (${isNamed ? "text" : "default"})` : "target of the text",
            },
            ...TARGETS.map((t) => ({ value: t, title: t })),
          ]}
          onChange={(value) => actions.run.setOptions({ target: value === "auto" ? null : value })}
        />
        <Select
          label="Level"
          title="Optimization level"
          value={String(level)}
          options={[0, 1, 2, 3, 4].map((n) => ({ value: String(n), title: `-O${n}` }))}
          onChange={(value) => actions.run.setOptions({ level: Number(value) })}
        />
        <Select
          label="Policy"
          title="Whose rules apply where the reference and the measured compiler differ"
          value={policy}
          options={[
            { value: "notes", title: POLICY_TITLES.notes },
            { value: "measured", title: POLICY_TITLES.measured },
          ]}
          onChange={(value) => actions.run.setOptions({ policy: value === "measured" ? "measured" : "notes" })}
        />
        <FormatSelect />
      </fieldset>
    </>
  );
}

/** What the source is read as; in the pane of that source. */
function FormatSelect() {
  const format = useSession((s) => s.document.format);
  const recognised = useSession((s) => s.document.open?.format ?? null);
  const { document } = useActions();
  const page = useSessionObject();
  // One that this page does not have is refused by name.
  const formats = FORMATS.filter((id) => id === format || formatsOf(page).includes(id));
  return (
    <Select
      label="Format"
      title="Format of the source text"
      value={format ?? "auto"}
      options={[
        { value: "auto", title: recognised === null ? "auto" : `auto: ${recognised}` },
        ...formats.map((id) => ({ value: id, title: FORMAT_NAMES[id] })),
      ]}
      onChange={(value) => document.setFormat(formats.find((id) => id === value) ?? null)}
    />
  );
}
