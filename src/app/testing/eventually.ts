/** Waits for what has no event to wait for: another tab, a storage. Vitest's own patience of a second is too short for a loaded machine. */
import { vi } from "vitest";

export const eventually = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 30_000, interval: 10 });
