/** The script of the worker that runs a pass's code in a page, as text. A separate module, so that it is loaded only where a pass runs. */

import { WORKER_SCRIPT } from "./worker.generated.ts";

export const guestWorkerScript = (): string => WORKER_SCRIPT;
