/** The messages of the SASS importer: stable codes, severities, one line of explanation each. */

import type { CodeInfo } from "../../../engine/import/diagnostics.ts";

export const SASS_CODES = {
  SASS001: { severity: "error", title: "The text is binary data, not a listing." },
  SASS002: { severity: "error", title: "The text is larger than the importer accepts." },
  SASS003: { severity: "error", title: "No instruction was found." },
  SASS004: { severity: "warning", title: "A line of code that is not an instruction; it was skipped." },
  SASS005: { severity: "info", title: "A second function of the same name; it was renamed." },
  SASS006: { severity: "error", title: "A branch to a place that is not in the function; the thread ends there." },
  SASS007: { severity: "warning", title: "A label that is defined twice in one function; the first one counts." },
  SASS008: {
    severity: "info",
    title: "An indirect branch whose targets the listing does not name: every block without a predecessor counts as one.",
  },
  SASS009: { severity: "warning", title: "An indirect branch without any possible target; the thread ends there." },
  SASS010: { severity: "info", title: "A listing for a target before sm_70: read, but its SSY/SYNC stack is not followed." },
  SASS011: { severity: "warning", title: "No instruction has this name; it is kept as opaque and may do anything." },
  SASS012: { severity: "info", title: "An instruction whose registers are known only in part." },
  SASS013: { severity: "info", title: "A call of a function that is not in the listing; it may define every register." },
  SASS014: { severity: "info", title: "The end of a convergence region is not in the function; the instruction stays opaque." },
  SASS015: { severity: "warning", title: "Registers or operands beyond what an instruction can name; they were left out." },
  SASS099: { severity: "warning", title: "More messages than are reported." },
} as const satisfies Readonly<Record<string, CodeInfo>>;

export type SassCode = keyof typeof SASS_CODES;
