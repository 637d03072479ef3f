/** The list of breakpoints: what stops, switched on or off; new ones by event kind or condition. */

import { useState } from "react";
import type { Breakpoint } from "../../engine/api/types.ts";
import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";
import { breakpointKey } from "../session/actions/breakpoints.ts";
import { KIND_INFO } from "../session/event-kinds.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { selectMoment } from "../session/selectors.ts";
import { subjectTitle } from "../session/subject.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { messageOf } from "../ui/failure.ts";
import { Checkbox, TextField } from "../ui/field.tsx";
import { Row, Stack } from "../ui/layout.tsx";
import { Select } from "../ui/select.tsx";
import { WatchField } from "./watch-field.tsx";

export function BreakpointsDialog() {
  const session = useSessionObject();
  const open = useSession((s) => s.view.dialog === "breakpoints");
  return (
    <Dialog open={open} onClose={() => session.actions.view.set({ dialog: null })} title="Breakpoints">
      <Body />
    </Dialog>
  );
}

function Body() {
  const session = useSessionObject();
  const { breakpoints } = session.actions;
  const list = useSession((s) => s.breakpoints.list);
  const ticks = useSession((s) => s.breakpoints.ticks.length);
  const moment = useSession(selectMoment);
  const [kind, setKind] = useState<EventKind>("rewrite");
  const [condition, setCondition] = useState("");
  const [error, setError] = useState<string | null>(null);

  const title = (b: Breakpoint): string => {
    switch (b.kind) {
      case "subject":
        return `any step that touches ${subjectTitle(b.subject, moment)}`;
      case "event":
        return `event: ${KIND_INFO[b.event].title}`;
      case "line":
        return `pseudocode line ${b.line}`;
      case "condition":
        return b.text;
      case "watch":
        return `state: ${b.text}`;
    }
  };
  const addCondition = async () => {
    const text = condition.trim();
    if (text === "") return;
    const wrong = await session.api
      .checkCondition(text)
      .catch((problem: unknown) => `The condition could not be read: ${messageOf(problem)}`);
    setError(wrong);
    if (wrong !== null) return;
    breakpoints.toggle({ kind: "condition", text });
    setCondition("");
  };

  return (
    <>
      {list.length === 0 ? (
        <EmptyState title="No breakpoints.">Click a pseudocode line, or add one here.</EmptyState>
      ) : (
        <Stack as="ul">
          {list.map(({ breakpoint, enabled }) => (
            <Row as="li" justify="between" gap={2} key={breakpointKey(breakpoint)} className="line-below">
              <Checkbox checked={enabled} onChange={(on) => breakpoints.setEnabled(breakpoint, on)}>
                <span className="mono">{title(breakpoint)}</span>
              </Checkbox>
              <IconButton icon="trash" label={`Remove ${title(breakpoint)}`} onClick={() => breakpoints.toggle(breakpoint)} />
            </Row>
          ))}
        </Stack>
      )}
      <p className="muted">{ticks} stops in the open phase.</p>
      <Row align="end" gap={2}>
        <Select label="Event" value={kind} options={EVENT_KINDS.map((k) => ({ value: k, title: KIND_INFO[k].title }))} onChange={setKind} />
        <Button onClick={() => breakpoints.toggle({ kind: "event", event: kind })}>Add</Button>
      </Row>
      <Row align="end" gap={2}>
        <TextField
          grow
          label="Condition"
          mono
          value={condition}
          placeholder="kind = rewrite and block = BB4"
          error={error}
          onChange={(text) => {
            setCondition(text);
            setError(null);
          }}
          onSubmit={() => void addCondition()}
        />
        <Button onClick={() => void addCondition()}>Add</Button>
      </Row>
      <WatchField />
    </>
  );
}
