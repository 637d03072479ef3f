/**
 * `embed.js`: defines `<oriscope-view src="LINK">`, a frame that steps through what the link shows.
 *
 * Attributes: `src`, a link of the page or its part from # on; `toolbar`, `step` (default) or `none`; `theme`, `light`, `dark` or left out
 * (as the page around it); `height` in pixels. The frame is made when it comes near the view, and only then. Each step raises the event
 * `oriscope-step` with phase, step and sentence; `step(1)` and `step(-1)` move it.
 */

import { embedFragment } from "./embed-fragment.ts";
import { fromFrame, type ToFrame } from "./messages.ts";

/** The page is in the same folder as the script. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
const home = script === "" ? "" : new URL("./", script).href;

const TALL = 560;
const WIDE = 440;
const NARROW_BELOW = 700;
/** As far ahead as browsers load lazy frames: a reader who scrolls finds the picture there. */
const AHEAD = "1000px";

/** Any other address would run in the page around the frame, or show what is no page of a host. */
function isWeb(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address, location.href).protocol);
  } catch {
    return false;
  }
}

class OriscopeView extends HTMLElement {
  static readonly observedAttributes = ["src", "toolbar", "theme", "height"];
  private frame: HTMLIFrameElement | null = null;
  private readonly inside = this.attachShadow({ mode: "open" });
  private readonly near = new IntersectionObserver((entries) => this.seen(entries), { rootMargin: AHEAD });
  private readonly size = new ResizeObserver(() => this.resize());

  connectedCallback(): void {
    this.style.display = "block";
    this.placeholder();
    this.resize();
    this.near.observe(this);
    this.size.observe(this);
    window.addEventListener("message", this.heard);
  }

  disconnectedCallback(): void {
    this.near.disconnect();
    this.size.disconnect();
    window.removeEventListener("message", this.heard);
    this.frame = null;
    this.inside.replaceChildren();
  }

  attributeChangedCallback(name: string): void {
    if (name === "height") this.resize();
    else if (this.frame === null) return;
    else if (name === "theme") {
      const theme = this.theme();
      if (theme !== null) this.tell({ oriscope: 1, type: "theme", theme });
    } else {
      this.frame = null;
      this.near.unobserve(this);
      this.near.observe(this);
    }
  }

  /** Moves the frame one step on or back. */
  step(direction: 1 | -1): void {
    this.tell({ oriscope: 1, type: "step", direction });
  }

  private seen(entries: readonly IntersectionObserverEntry[]): void {
    if (this.frame !== null || !entries.some((entry) => entry.isIntersecting)) return;
    const frame = document.createElement("iframe");
    frame.src = this.address();
    frame.title = this.getAttribute("title") ?? "Oriscope: a program step by step";
    frame.style.cssText = "display:block;width:100%;height:100%;border:0;border-radius:inherit";
    frame.setAttribute("allow", "clipboard-write; fullscreen");
    this.frame = frame;
    this.inside.replaceChildren(frame);
  }

  private address(): string {
    const source = this.getAttribute("src") ?? "";
    const at = source.indexOf("#");
    const page = at > 0 && isWeb(source) ? source.slice(0, at) : home;
    // A page from the disk has no origin to state: its frame then accepts no messages.
    const origin = location.origin === "null" ? null : location.origin;
    const toolbar = this.getAttribute("toolbar") === "none" ? "none" : "step";
    return `${page}#${embedFragment(at < 0 ? source : source.slice(at + 1), { theme: this.theme(), toolbar, origin })}`;
  }

  /** The attribute's scheme, else that of the page around it; null if it is left to the reader's system. */
  private theme(): "light" | "dark" | null {
    const said = this.getAttribute("theme");
    if (said === "light" || said === "dark") return said;
    const scheme = getComputedStyle(this).colorScheme.split(/\s+/);
    const [dark, light] = [scheme.includes("dark"), scheme.includes("light")];
    return dark === light ? null : dark ? "dark" : "light";
  }

  private resize(): void {
    const said = Number(this.getAttribute("height"));
    const height = said > 0 ? said : this.clientWidth < NARROW_BELOW ? TALL : WIDE;
    this.style.height = `${height}px`;
  }

  /** Until the frame is made, and for readers without frames: the way to the page itself. */
  private placeholder(): void {
    const link = document.createElement("a");
    const { href } = new URL(this.address(), location.href);
    link.href = href.replace(/#embed[^#/]*\//, "#");
    link.textContent = "Open in Oriscope";
    this.inside.replaceChildren(link);
  }

  private tell(message: ToFrame): void {
    const { frame } = this;
    if (frame?.contentWindow) frame.contentWindow.postMessage(message, new URL(frame.src).origin);
  }

  private readonly heard = ({ source, origin, data }: MessageEvent<unknown>): void => {
    const { frame } = this;
    if (frame === null || source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
    const message = fromFrame(data);
    if (message === null) return;
    const { phase, step, sentence } = message;
    this.dispatchEvent(new CustomEvent("oriscope-step", { detail: { phase, step, sentence }, bubbles: true }));
  };
}

if (customElements.get("oriscope-view") === undefined) customElements.define("oriscope-view", OriscopeView);
