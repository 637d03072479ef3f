/** A pass that a user writes, its place in the pipeline and what it reports. */

import type { Feature } from "../../../app/session/feature.ts";
import { type OwnPassActions, ownPassActions } from "./actions.ts";
import { type CheckState, NO_CHECK } from "./check/check-state.ts";
import { PASS_COMMANDS } from "./commands.ts";
import type { MakeSandbox } from "./sandbox-port.ts";
import { NO_PASS, type OwnPassSlice, type WorkPass, withPass, workPass } from "./state.ts";
import { PASS_WORK } from "./work.ts";

declare module "../../../app/session/session.ts" {
  interface SessionActions {
    readonly ownpass: OwnPassActions;
  }
}

declare module "../../../app/session/state.ts" {
  interface SessionState {
    readonly ownpass: OwnPassSlice;
    readonly passCheck: CheckState;
  }
}

declare module "../../../app/session/actions/programs.ts" {
  interface FeatureData {
    /** The pass that comes with a program; left out: the open one stays open, and keeps running if it does. */
    readonly pass?: WorkPass | undefined;
  }
}

/** The sandbox of the page, loaded when the first pass runs. */
const openLate: MakeSandbox = async () => (await import("./sandbox.ts")).openSandbox();

export const ownPass = (sandbox: MakeSandbox = openLate): Feature => ({
  id: "ownpass",
  before: "general",
  slices: { ownpass: NO_PASS, passCheck: NO_CHECK },
  begin: (ctx, core) => ownPassActions(ctx, core, sandbox),
  program: {
    // The pass of a program is remembered with it where the next one brings another, or none.
    remember: ({ ownpass }, { featureData }) => (featureData.pass === undefined ? {} : { pass: workPass(ownpass) }),
    open({ options, featureData: { pass } }, { ownpass }) {
      if (pass === undefined) return {};
      const { pipeline } = options;
      // Another pass does not run by itself.
      const idle = pipeline.own == null ? options : { ...options, pipeline: { ...pipeline, own: null } };
      return { ownpass: withPass(ownpass, pass), options: idle };
    },
  },
  work: PASS_WORK,
  commands: PASS_COMMANDS,
});
