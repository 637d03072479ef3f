/** The program of the worker that runs a pass's code in a page, as text: apart, so that it is loaded only where a pass runs. */

import { WORKER_SCRIPT } from "./worker.generated.ts";

export const guestWorkerScript = (): string => WORKER_SCRIPT;
