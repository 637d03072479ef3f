/** `sw.js`: keeps the page in the browser, so that it opens and works without a network. The build inserts the list of its files. */

import { clientsClaim } from "workbox-core";
import { type PrecacheEntry, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst } from "workbox-strategies";

/** What is used of a service worker's global object. */
interface Scope {
  readonly location: { readonly href: string };
  readonly __WB_MANIFEST: PrecacheEntry[];
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  skipWaiting(): Promise<void>;
}
declare const self: Scope;

const home = new URL("./", self.location.href);

// Every file of this version. It is fetched before the first answer, and deleted when the next version takes over.
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/^utm_/, /^offline$/] });

// TypeScript for users' passes: stored once it was used, and deleted when a new version is stored.
const TYPESCRIPT = "oriscope-typescript";
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.href.startsWith(`${home.href}assets/ts.worker-`),
  new CacheFirst({
    cacheName: TYPESCRIPT,
    plugins: [
      {
        async cacheDidUpdate({ request }) {
          const cache = await caches.open(TYPESCRIPT);
          const old = (await cache.keys()).filter(({ url }) => url !== request.url);
          await Promise.all(old.map((key) => cache.delete(key)));
        },
      },
    ],
  }),
);

// Files with their hash in the name never change. Those of other versions are engines that links name: once loaded, they stay.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.href.startsWith(`${home.href}assets/`),
  new CacheFirst({ cacheName: "oriscope-engines" }),
);

// The list of those engines, and the site's pages around the explorer: the current ones, or as last fetched.
registerRoute(
  ({ url, request, sameOrigin }) =>
    sameOrigin &&
    (url.href === `${home.href}engines.json` || url.href.startsWith(`${home.href}handbook/`) || request.destination === "document") &&
    url.href.startsWith(home.href),
  new NetworkFirst({ cacheName: "oriscope-pages" }),
);

// The page of the first visit also needs what it loads later.
clientsClaim();

// A newer version waits until the user accepts it, or until no page of the old one is open.
self.addEventListener("message", ({ data }) => {
  if (typeof data === "object" && data !== null && "type" in data && data.type === "SKIP_WAITING") void self.skipWaiting();
});
