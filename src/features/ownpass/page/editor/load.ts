/** Loads the pass's editor and TypeScript once, when the tab opens. */

type Loaded = typeof import("./pass-editor.ts");

let loading: Promise<Loaded> | null = null;

export function loadPassEditor(): Promise<Loaded> {
  loading ??= import("./pass-editor.ts").catch((error: unknown) => {
    // A later try may succeed: the network came back.
    loading = null;
    throw error;
  });
  return loading;
}
