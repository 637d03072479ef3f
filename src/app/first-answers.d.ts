/** What the build asked the engine for a first visit, and the drawing of what it then shows. */
declare module "virtual:first-answers" {
  export const FIRST_ANSWERS: readonly import("../worker/first-answers.ts").Answered[];
  export const FIRST_DRAWING: import("./graph/layouts.ts").KnownDrawing | null;
}
