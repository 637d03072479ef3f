/** What features show at a place of the page, in the order of their list. */

import type { Shown } from "./feature.ts";
import { useSessionObject } from "./hooks.ts";

export function FeatureSlot({ of }: { readonly of: "banners" | "onPicture" | "overStrip" | "overText" | "overlays" }) {
  const { features } = useSessionObject();
  return features.flatMap((feature) => Object.entries<Shown[string]>(feature[of] ?? {}).map(([name, One]) => <One key={name} />));
}
