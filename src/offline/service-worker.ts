/** `sw.js`: keeps the page in the browser, so that it opens and works without a network. The build puts the list of its files in. */

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

// Every file of this version. It is fetched before the first answer, and forgotten when the next version takes over.
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/^utm_/, /^offline$/] });

// TypeScript for users' passes: kept once it was used, and the one of another version goes when the new one comes.
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

// The list of those engines, and the site's pages around the explorer: as they are now, or as they were last seen.
registerRoute(
  ({ url, request, sameOrigin }) =>
    sameOrigin &&
    (url.href === `${home.href}engines.json` || url.href.startsWith(`${home.href}handbook/`) || request.destination === "document") &&
    url.href.startsWith(home.href),
  new NetworkFirst({ cacheName: "oriscope-pages" }),
);

// The page that is open at the first visit needs what it loads later, too.
clientsClaim();

// A newer version waits until a person takes it, or until no page of the old one is open.
self.addEventListener("message", ({ data }) => {
  if (typeof data === "object" && data !== null && "type" in data && data.type === "SKIP_WAITING") void self.skipWaiting();
});
