/**
 * The script of the frame around the sandbox: makes the sandbox, with its own origin, and passes the page's port on to it. It runs no stranger's code; it is
 * there because a service worker, which has the page without a network, answers for no frame that is sandboxed itself.
 */

/** The build puts the sandbox's document here. */
declare const __SANDBOX__: string;

const sandbox = document.createElement("iframe");
sandbox.setAttribute("sandbox", "allow-scripts");
sandbox.title = "Sandbox for passes";
sandbox.srcdoc = __SANDBOX__;
const loaded = new Promise<void>((resolve) => {
  sandbox.addEventListener("load", () => resolve(), { once: true });
});
document.body.append(sandbox);

// The first port is the page's; nothing else knows of this frame.
addEventListener(
  "message",
  ({ ports: [port], source }) => {
    if (port !== undefined && source === parent) loaded.then(() => sandbox.contentWindow?.postMessage(null, "*", [port]));
  },
  { once: true },
);

export {};
