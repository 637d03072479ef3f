/** Keeps the page in the browser for use without a network, and reports a newer version, which the user installs when it suits. */

import type { Workbox } from "workbox-window";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";

/** On such a host another program may answer tomorrow: the page stays there only if its address has `?offline`. */
const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const CHECK_MS = 3_600_000;

type Update = "none" | "waiting" | "elsewhere";

declare module "../session/state.ts" {
  interface SessionState {
    readonly offline: { readonly update: Update };
  }
}

export const NO_UPDATE = { update: "none" } as const;

let box: Workbox | null = null;
let taken = false;

/** Whether a newer version is there: in waiting, or taken in another tab. */
export const hasUpdate = ({ offline }: SessionState): boolean => offline.update !== "none";

/** Goes over to the newer version. The work is kept as at any reload. */
export function takeUpdate({ store }: Session): void {
  taken = true;
  if (store.getState().offline.update === "waiting") box?.messageSkipWaiting();
  else window.location.reload();
}

/** Begins once the first result is there: until then the network has better things to do. Never rejects. */
export function keepOffline(session: Session): void {
  if (!isWanted(session)) return;
  const stop = session.store.subscribe((state) => {
    if (state.run.result === null) return;
    stop();
    if (state.view.embed) return;
    // Some browsers store no page, in a private window for example: it then works only with a network.
    install(session).catch(() => undefined);
  });
}

function isWanted({ features }: Session): boolean {
  if (features.some((feature) => feature.isPacked?.() === true)) return false;
  // Not in every context, despite the type.
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
  if (!import.meta.env.PROD || serviceWorker === undefined) return false;
  const { hostname, search } = window.location;
  return !OWN_MACHINE.test(hostname) || serviceWorker.controller !== null || new URLSearchParams(search).has("offline");
}

async function install({ actions, patch }: Session): Promise<void> {
  const { Workbox } = await import("workbox-window");
  const before = navigator.serviceWorker.controller !== null;
  box = new Workbox(new URL("./sw.js", document.baseURI).href);
  box.addEventListener("waiting", () => {
    patch("offline", { update: "waiting" });
    actions.notify("warning", "A newer version of Oriscope is available. Updating keeps your work.", {
      label: "Update",
      command: "app.update",
    });
  });
  box.addEventListener("controlling", () => {
    if (taken) window.location.reload();
    else if (before) {
      patch("offline", { update: "elsewhere" });
      actions.notify("warning", "Oriscope was updated in another tab. Reload this tab when convenient; your work is kept.", {
        label: "Reload",
        command: "app.update",
      });
    }
  });
  const registration = await box.register();
  // Browsers look by themselves when a page is opened; this one may stay open for days. Without a network there is nothing to find.
  setInterval(() => registration?.update().catch(() => undefined), CHECK_MS);
}
