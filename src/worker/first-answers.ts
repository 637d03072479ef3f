/**
 * The answers to the requests of a first visit, known before the engine is loaded: it opens the same program at the same step every time, and the build has run
 * the same engine (`scripts/generate/first-answers.ts`). The requests are still sent, so that the engine knows what is open; its answers are the same.
 */

import { type QuestionName, rowOf } from "./questions.ts";

/** A question with its arguments as JSON, and the answer. */
export interface Answered {
  readonly method: QuestionName;
  readonly args: string;
  readonly answer: unknown;
}

const isSetting = (method: QuestionName): boolean => rowOf(method).sets !== undefined;

export class FirstAnswers {
  private left: readonly Answered[];

  /** In the order of the requests. */
  constructor(answers: readonly Answered[]) {
    this.left = answers;
  }

  /** The answer to a question, given once; null: only the engine knows. After a different text or different options, the engine answers all further questions. */
  take(method: QuestionName, args: readonly unknown[]): { readonly answer: unknown } | null {
    if (this.left.length === 0) return null;
    const json = JSON.stringify(args);
    // Up to the next question that sets what is open: the answers after that one are not valid yet.
    const next = this.left.findIndex((one) => isSetting(one.method));
    const found = this.left.slice(0, next < 0 ? undefined : next + 1).find((one) => one.method === method && one.args === json);
    if (found === undefined) {
      if (isSetting(method)) this.left = [];
      return null;
    }
    this.left = this.left.filter((one) => one !== found);
    return { answer: found.answer };
  }
}
