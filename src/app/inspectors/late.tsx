/** Inspectors that few steps need: loaded when their tab is opened, so that a first visit does not wait for them. */

import { type ComponentType, lazy, Suspense } from "react";

/** A component that is loaded when it is first drawn. */
export function late<P extends object = object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async (): Promise<{ default: ComponentType<P> }> => ({ default: await load() }));
  return function Late(props: P) {
    return (
      <Suspense
        fallback={
          <p className="pad" role="status">
            Opening…
          </p>
        }
      >
        <Loaded {...props} />
      </Suspense>
    );
  };
}
