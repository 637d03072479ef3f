/**
 * The worker that runs a pass's code in a page's sandboxed frame. Before any code of a stranger's runs, everything but the language is taken out of its realm: what is
 * listed here stays, so that a browser's next interface is gone, too. Texts come in and go out; the frame around it believes none of them.
 */

import "./guest.ts";

interface Scope {
  readonly oriscopeGuest: (request: string) => string;
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

const LANGUAGE = new Set([
  ..."globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI".split(" "),
  ..."encodeURIComponent escape unescape Object Function Boolean Symbol Error AggregateError EvalError RangeError".split(" "),
  ..."ReferenceError SyntaxError TypeError URIError Number BigInt Math String RegExp Array Map Set WeakMap WeakSet".split(" "),
  ..."ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array".split(" "),
  ..."BigInt64Array BigUint64Array Float32Array Float64Array JSON Promise Proxy Reflect Iterator".split(" "),
]);

const scope = globalThis as unknown as Scope;
const post = scope.postMessage.bind(scope);
const listen = scope.addEventListener.bind(scope);
const guest = scope.oriscopeGuest;

function takeOut(owner: object): void {
  for (const name of Reflect.ownKeys(owner)) {
    if (typeof name === "symbol" || LANGUAGE.has(name) || name === "constructor") continue;
    // What cannot be taken away is covered; what cannot be covered either has no way out of the frame.
    if (!Reflect.deleteProperty(owner, name))
      Reflect.defineProperty(owner, name, { value: undefined, configurable: false, writable: false });
  }
}

listen("message", ({ data }) => {
  if (typeof data === "string") post(guest(data));
});
for (let owner: object | null = globalThis; owner !== null && owner !== Object.prototype; owner = Reflect.getPrototypeOf(owner))
  takeOut(owner);
post("ready");
