/** What features do for the commands of the core. */

import type { CliParts } from "../cli/parts.ts";

export const CLI_PARTS: CliParts = {
  pass: async () => (await import("./ownpass/cli/run-file.ts")).FilePass,
  grader: async () => (await import("./labs/cli/serve.ts")).serveGrades,
};
