/** The program of the worker that runs a pass's code in a page, as text: apart, so that it is loaded only where a pass runs. */

/// <reference path="./guest-module.d.ts" />

import { WORKER_SCRIPT } from "virtual:pass-worker";

export const guestWorkerScript = (): string => WORKER_SCRIPT;
