/** Puts the Content-Security-Policy into the built page; the development server needs inline scripts and gets none. */
import type { Plugin } from "vite";

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  // Monaco positions its text with inline styles.
  "style-src 'self' 'unsafe-inline'",
  // Pictures are exported through data and blob addresses; Monaco's icons are inlined into its style sheet.
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The policy as the first element of the head, before anything it should govern. */
export function contentPolicy(): Plugin {
  return {
    name: "oriscope:content-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: policy.join("; ") },
        injectTo: "head-prepend",
      },
    ],
  };
}
