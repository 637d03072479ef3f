/** Whose rules decide where the reference and the compiler that was measured differ, in words. */

import type { PipelineOptions } from "../../engine/api/types.ts";

export type Policy = PipelineOptions["policy"];

export const POLICY_TITLES: Readonly<Record<Policy, string>> = { notes: "as documented", measured: "as measured on ptxas 13" };

export const otherPolicy = (policy: Policy): Policy => (policy === "notes" ? "measured" : "notes");

/** A policy as an event names it. */
export const policyTitle = (name: string): string => (name === "notes" || name === "measured" ? POLICY_TITLES[name] : name);
