/** The engine's answers for a first visit, recorded by the build, and the drawing of what it shows. */
declare module "virtual:first-answers" {
  export const FIRST_ANSWERS: readonly import("../worker/first-answers.ts").Answered[];
  export const FIRST_DRAWING: import("./graph/layouts.ts").KnownDrawing | null;
}
