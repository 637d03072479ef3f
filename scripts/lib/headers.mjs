/** The headers that a server should send with every file of the page, in addition to the page's own policy. */

/**
 * `frames`: who may show the page in a frame, as in a Content-Security-Policy. A page cannot declare this itself, only its server can.
 * @param {string} frames
 * @returns {Record<string, string>}
 */
export function headers(frames) {
  return {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": `frame-ancestors ${frames}`,
  };
}
