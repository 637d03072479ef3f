/** The kinds of inputs that `npm run fuzz -- --mutate KIND` damages. */

import { DAMAGED_PROGRAMS, type Damaged } from "../cli/fuzz/damaged.ts";
import { DAMAGED_LABS } from "./labs/cli/damaged-labs.ts";

export const DAMAGED: Readonly<Record<string, Damaged>> = {
  ...DAMAGED_PROGRAMS,
  ...DAMAGED_LABS,
};
