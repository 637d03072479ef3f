/** How a user's pass reports and requests rewrites, and the structures that it shows. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";
import type { Actions } from "./actions.ts";
import type { Ctx, Focus, ObservedSet, Shown, Table, Tree } from "./api.ts";
import type { ActionFocus } from "./saying.ts";
import type { ScriptValue } from "./script.ts";
import { BlockView, describe, InstView, type Views } from "./views.ts";

export function makeCtx(views: Views): Ctx {
  const { actions } = views;
  const focusOf = (focus: Focus | undefined): ActionFocus => actionFocus(focus, views);
  return {
    step: (sentence, focus) => actions.step(said(sentence), focusOf(focus)),
    span: (sentence, focus, body) => actions.span(said(sentence), focusOf(focus), body),
    because: (sentence, focus) => actions.because(said(sentence), focusOf(focus)),
    refuse(reason, sentence, focus) {
      actions.refuse(said(reason), said(sentence), focusOf(focus));
      return false;
    },
    rewrite: (sentence, focus, edits) => actions.rewrite(said(sentence), focusOf(focus), edits),
    permit: (sentence, focus) => actions.permit(said(sentence), focusOf(focus)),
    why: (sentence) => actions.why(said(sentence)),
    table: (title) => makeTable(actions, said(title)),
    set: (title) => makeSet(actions, said(title)),
    tree: (title) => makeTree(actions, said(title)),
  };
}

function makeTable(actions: Actions, title: string): Table {
  const id = actions.structure("table", title);
  return {
    set: (key, value) => actions.write(id, keyOf(key), shown(value)),
    delete: (key) => actions.erase(id, keyOf(key)),
  };
}

function makeSet(actions: Actions, title: string): ObservedSet {
  const id = actions.structure("set", title);
  const held = new Map<string, Shown>();
  return {
    add(value) {
      const key = keyOf(value);
      if (held.has(key)) return false;
      held.set(key, value);
      actions.write(id, key, shown(value));
      return true;
    },
    delete(value) {
      const key = keyOf(value);
      if (!held.delete(key)) return false;
      actions.erase(id, key);
      return true;
    },
    has: (value) => held.has(keyOf(value)),
    clear() {
      for (const key of held.keys()) actions.erase(id, key);
      held.clear();
    },
    get size() {
      return held.size;
    },
  };
}

function makeTree(actions: Actions, title: string): Tree {
  const id = actions.structure("tree", title);
  return {
    set: (key, parent, value) =>
      actions.write(id, keyOf(key), {
        parent: parent === null ? null : keyOf(parent),
        ...(value === undefined ? {} : { value: shown(value) }),
      }),
    delete: (key) => actions.erase(id, keyOf(key)),
  };
}

const MOST_SENTENCE = 2000;
const MOST_DEPTH = 5;
const MOST_ITEMS = 2000;

function said(text: unknown): string {
  if (typeof text !== "string") throw new PassError(`A sentence must be a string, not ${describe(text)}.`);
  return text.length > MOST_SENTENCE ? `${text.slice(0, MOST_SENTENCE - 1)}…` : text;
}

function actionFocus(focus: Focus | undefined, views: Views): ActionFocus {
  if (focus === undefined || focus === null) return {};
  const { block, inst, reg } = focus;
  const blocks = [...(block === undefined ? [] : [block]), ...(focus.blocks ?? [])].map((b) => views.blockId(b));
  const insts = [...(inst === undefined ? [] : [inst]), ...(focus.insts ?? [])].map((i) => views.instId(i));
  const regs = [...(reg === undefined ? [] : [reg]), ...(focus.regs ?? [])].map(String);
  const edges = (focus.edges ?? []).map(([a, b]) => [views.blockId(a), views.blockId(b)] as const);
  return {
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(insts.length === 0 ? {} : { insts }),
    ...(regs.length === 0 ? {} : { regs }),
    ...(edges.length === 0 ? {} : { edges }),
  };
}

function keyOf(key: unknown): string {
  if (key instanceof BlockView) return key.label;
  if (key instanceof InstView) return `${key.id}: ${key.text}`;
  if (typeof key === "object" && key !== null) return said(JSON.stringify(shown(key as Shown)));
  return said(String(key));
}

/** Converts any value to plain data that a table can contain. */
export function shown(value: unknown, depth = 0): ScriptValue {
  if (value === null || value === undefined) return null;
  if (value instanceof BlockView) return value.label;
  if (value instanceof InstView) return value.text;
  switch (typeof value) {
    case "string":
      return said(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return said(String(value));
    case "object":
      break;
    default:
      throw new PassError(`${describe(value)} cannot be shown.`);
  }
  if (depth >= MOST_DEPTH) return "…";
  const items = (list: readonly unknown[]): ScriptValue[] => list.slice(0, MOST_ITEMS).map((item) => shown(item, depth + 1));
  if (Array.isArray(value)) return items(value);
  if (value instanceof Set) return items([...value]);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.slice(0, MOST_ITEMS).map(([key, part]) => [keyOf(key), shown(part, depth + 1)]));
}
