/**
 * Every question of the page to the engine, one row each: what the user reads while it takes long, what it may reveal while the user must predict a step, and
 * what answers it. The contract, the page's client, the banner, the veil, the worker and the engine of the tests are made from this table. None throws for errors that a
 * user can cause. The page has this module, too: it names the engine's code in types only.
 */

import { QUESTIONS } from "../features/questions.ts";
import type { ArgsOf, Row } from "./question.ts";

export type QuestionName = keyof typeof QUESTIONS;
/** A question that any engine answers immediately: whether it is running. */
export const HELLO: QuestionName = "version";

export type Asked<K extends QuestionName> = ArgsOf<(typeof QUESTIONS)[K]["run"]>;
export type Answered<K extends QuestionName> = ReturnType<(typeof QUESTIONS)[K]["run"]>;

/** The engine of one open document. */
export type EngineApi = { readonly [K in QuestionName]: (...args: Asked<K>) => Answered<K> };
/** The same over the wire. */
export type AsyncEngine = { readonly [K in QuestionName]: (...args: Asked<K>) => Promise<Awaited<Answered<K>>> };

export const rowOf = (name: QuestionName): Row => QUESTIONS[name] as unknown as Row;

/** An object with a function for each question. */
export function everyQuestion<Engine>(answer: (name: QuestionName, row: Row) => (...args: unknown[]) => unknown): Engine {
  const names = Object.keys(QUESTIONS) as QuestionName[];
  return Object.fromEntries(names.map((name) => [name, answer(name, rowOf(name))])) as Engine;
}
