/** What happens to a page that keeps work: it is hidden, it is left, and it can ask for confirmation before. */

export interface PageEvents {
  /** `leave`: everything has to be done when it returns. Returns a function that stops it. */
  listen(events: { readonly hidden: () => void; readonly leave: () => void }): () => void;
  /** Whether the browser asks for confirmation before the page is left. */
  askBeforeLeaving(ask: boolean): void;
}

export function pageEvents(): PageEvents {
  let asking = false;
  const question = (event: BeforeUnloadEvent): void => event.preventDefault();
  return {
    listen({ hidden, leave }) {
      const changed = (): void => {
        if (document.visibilityState === "hidden") hidden();
      };
      document.addEventListener("visibilitychange", changed);
      window.addEventListener("pagehide", leave);
      return () => {
        document.removeEventListener("visibilitychange", changed);
        window.removeEventListener("pagehide", leave);
      };
    },
    // Only then: a page that listens for this cannot be restored immediately by Back.
    askBeforeLeaving(ask) {
      if (ask === asking) return;
      asking = ask;
      if (ask) window.addEventListener("beforeunload", question);
      else window.removeEventListener("beforeunload", question);
    },
  };
}
