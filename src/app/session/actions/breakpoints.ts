/** Breakpoints and their ticks on the open trace. */

import type { Breakpoint } from "../../../engine/api/types.ts";
import type { ActionContext } from "../context.ts";
import { createPump } from "../pump.ts";
import type { BreakpointEntry } from "../state.ts";
import { subjectKey } from "../subject.ts";

export interface BreakpointActions {
  /** Adds it, or removes it when it is there already. */
  toggle(breakpoint: Breakpoint): void;
  setEnabled(breakpoint: Breakpoint, enabled: boolean): void;
  replaceAll(list: readonly BreakpointEntry[]): void;
  /** Requests the ticks again, after a new trace or a change of the list. */
  refresh(): void;
  reset(): void;
}

export function breakpointKey(b: Breakpoint): string {
  switch (b.kind) {
    case "subject":
      return subjectKey(b.subject);
    case "event":
      return `event:${b.event}`;
    case "line":
      return `line:${b.line}`;
    case "condition":
    case "watch":
      return `${b.kind}:${b.text}`;
  }
}

const NO_TICKS = new Int32Array(0);

export function breakpointActions(ctx: ActionContext): BreakpointActions {
  const pump = createPump(async (wanted) => {
    const { position, breakpoints, run } = ctx.get();
    const enabled = breakpoints.list.filter((b) => b.enabled).map((b) => b.breakpoint);
    if (position.trace === null || enabled.length === 0) {
      if (breakpoints.ticks.length > 0) ctx.patch("breakpoints", { ticks: NO_TICKS });
      return;
    }
    const ticks = await ctx.api.breakpointTicks(position.run, enabled);
    if (wanted() && ctx.get().run.epoch === run.epoch && ctx.get().position.run === position.run) ctx.patch("breakpoints", { ticks });
  }, ctx.report("The breakpoints could not be placed"));
  const setList = (list: readonly BreakpointEntry[]) => {
    ctx.patch("breakpoints", { list });
    pump.request();
  };
  return {
    toggle(breakpoint) {
      const { list } = ctx.get().breakpoints;
      const key = breakpointKey(breakpoint);
      const rest = list.filter((b) => breakpointKey(b.breakpoint) !== key);
      setList(rest.length < list.length ? rest : [...list, { breakpoint, enabled: true }]);
    },
    setEnabled(breakpoint, enabled) {
      const key = breakpointKey(breakpoint);
      setList(ctx.get().breakpoints.list.map((b) => (breakpointKey(b.breakpoint) === key ? { ...b, enabled } : b)));
    },
    replaceAll: setList,
    refresh: () => pump.request(),
    reset: () => pump.reset(),
  };
}
