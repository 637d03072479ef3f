/** What belongs to the user and not to the work: theme, tabs, single-letter keys. Kept in local storage. */

import { nameOfOpened, openedBy, placeNamed } from "../session/places.ts";
import type { Session } from "../session/session.ts";
import { presetNamed, type SessionState, type ThemeChoice } from "../session/state.ts";
import { browserStorage } from "../ui/browser-storage.ts";

const KEY = "oriscope.preferences";

interface Preferences {
  readonly theme: ThemeChoice;
  readonly singleKeys: boolean;
  readonly welcomed: boolean;
  readonly preset: string;
  readonly lanes: boolean;
  /** Name of the place that the explanation shows. */
  readonly place: string;
  /** As an earlier version kept it. */
  readonly inspectors?: { readonly top: string; readonly bottom: string };
}

const read = (): Partial<Preferences> => browserStorage("localStorage").fields(KEY);

function write(state: SessionState): void {
  const { singleKeys, welcomed, lanes } = state.view;
  const place = nameOfOpened({ ...state.view.open, experiment: null });
  const preset = state.view.ownPreset ?? state.view.preset;
  const preferences: Preferences = { theme: state.theme.choice, singleKeys, welcomed, preset, lanes, place };
  browserStorage("localStorage").set(KEY, JSON.stringify(preferences));
}

/** Applies and follows the preferences and the system's theme. */
export function keepPreferences(session: Session): () => void {
  const { store, actions } = session;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => actions.view.setSystemTheme(dark.matches ? "dark" : "light");
  const show = (state: SessionState) => {
    document.documentElement.dataset.theme = state.theme.resolved;
    document.documentElement.dataset.preset = state.view.embed ? "embed" : state.view.preset;
  };
  follow();
  const { theme, singleKeys, welcomed, preset, lanes, place, inspectors } = read();
  const arrangement = presetNamed(preset);
  if (arrangement !== undefined) actions.view.arrange(arrangement);
  if (lanes === true) actions.view.set({ lanes });
  if (theme === "light" || theme === "dark" || theme === "system") actions.view.setTheme(theme);
  if (typeof singleKeys === "boolean") actions.view.set({ singleKeys });
  if (welcomed === true) actions.view.set({ welcomed });
  const kept = placeNamed(session.features, place ?? (preset === "step" ? inspectors?.top : inspectors?.bottom));
  if (kept !== null) actions.view.set({ open: openedBy(kept, store.getState().view.open) });
  show(store.getState());
  dark.addEventListener("change", follow);
  const stop = store.subscribe((state, before) => {
    if (state.theme !== before.theme || state.view.preset !== before.view.preset || state.view.embed !== before.view.embed) show(state);
    // Settings from the page around a frame are not the user's preferences.
    if (state.view.embed) return;
    if (
      state.theme.choice !== before.theme.choice ||
      state.view.singleKeys !== before.view.singleKeys ||
      state.view.welcomed !== before.view.welcomed ||
      state.view.preset !== before.view.preset ||
      state.view.lanes !== before.view.lanes ||
      state.view.open !== before.view.open
    )
      write(state);
  });
  return () => {
    stop();
    dark.removeEventListener("change", follow);
  };
}
