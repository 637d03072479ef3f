/** Loads Monaco once, after the page's first paint. */

type Monaco = typeof import("./monaco/monaco.ts");

let loading: Promise<Monaco> | null = null;

export function loadMonaco(): Promise<Monaco> {
  loading ??= import("./monaco/monaco.ts").catch((error: unknown) => {
    // A later try may succeed: the network came back.
    loading = null;
    throw error;
  });
  return loading;
}
