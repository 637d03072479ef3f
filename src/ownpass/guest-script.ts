/** The program that runs a pass's code, as text: apart, so that it is loaded only where a pass runs. */

/// <reference path="./guest-module.d.ts" />

import { GUEST_SCRIPT } from "virtual:pass-guest";

export const guestScript = (): string => GUEST_SCRIPT;
