/** What the build asked the engine for a first visit. */
declare module "virtual:first-answers" {
  export const FIRST_ANSWERS: readonly import("../worker/first-answers.ts").Answered[];
}
