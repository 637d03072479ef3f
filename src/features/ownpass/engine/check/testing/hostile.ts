/**
 * Malicious passes, and their expected effect: a message, and no harm to anything else. One table for everything that runs a pass: the box itself, each command, the
 * page, and `bench/escapes.ts`, which sends all of it everywhere.
 */

export interface HostilePass {
  readonly what: string;
  readonly source: string;
  /** The report about it; `fine: …` with its own report if it did nothing. */
  readonly says: RegExp;
}

const pass = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "hostile", run(fn, ctx) {\n${body}\n} });`;

/** A pass that does no harm, for afterwards. */
export const HARMLESS = pass("ctx.why('looked');");
export const HARMLESS_SAYS = "fine: looked";

/** The program that they are run on, of three instructions or more: the second one ends the entry. */
export const HOSTILE_PROGRAM = ".kernel k(n: R0, a: RD1)\nA:\n    IADD    R1, R0, 1\n    BRA     B\nB:\n    STG     [RD1], R1\n    EXIT\n";

/** Names that must not be reachable in a pass's realm through any object. */
const OUTSIDE = [
  ..."postMessage addEventListener onmessage importScripts fetch XMLHttpRequest WebSocket EventSource BroadcastChannel".split(" "),
  ..."MessageChannel Worker indexedDB caches localStorage navigator location parent top document setTimeout setInterval".split(" "),
  ..."URL Blob structuredClone crypto process require Buffer Deno Bun WebAssembly std os scriptArgs print load".split(" "),
  ..."__loadScript gc oriscopeGuest request answer".split(" "),
];

const LEFT = /^fine: left: $|^line \d+: /;
/** An attempt to leave the realm: the value that it yields is searched for names from outside. */
const way = (what: string, expression: string, top = ""): HostilePass => ({
  what: `a way out: ${what}`,
  source: pass(
    `let got; try { got = ${expression}; } catch {}
const seen = [got, got?.constructor, got?.constructor?.constructor, typeof got === "function" ? (() => { try { return got("return this")(); } catch {} })() : null];
ctx.why("left: " + seen.flatMap((it) => it == null ? [] : ${JSON.stringify(OUTSIDE)}.filter((name) => { try { return it[name] !== undefined; } catch { return false; } })).join());`,
    top,
  ),
  says: LEFT,
});

const SPENT =
  /did not end within \d+ million steps|recurses too deeply|memory|more than \d+ (?:characters|steps|instructions)|Invalid|invalid|too (?:large|long|many)/;
const spends = (what: string, body: string, top = ""): HostilePass => ({ what: `spends: ${what}`, source: pass(body, top), says: SPENT });
/** Runs out of memory before it runs out of steps. */
const fills = (what: string, body: string): HostilePass => ({ ...spends(what, body), says: /took more memory than it may use/ });

/** Changes the realm's built-in prototypes: it can only break itself. */
const TAMPERED = /^fine|^line|wrong form|not JSON|left no answer|could not be|threw|recurses|did not end|memory|has no pass|needs a/;
const tampers = (what: string, top: string): HostilePass => ({
  what: `tampers with: ${what}`,
  source: pass("ctx.why('kept');", top),
  says: TAMPERED,
});

const says = (what: string, body: string, expected: RegExp, top = ""): HostilePass => ({ what, source: pass(body, top), says: expected });

const WAYS: readonly HostilePass[] = [
  way("the global object", "globalThis"),
  way("this of a sloppy function", "(function () { return this; })()"),
  way("the constructor of a function of the API", "ctx.step.constructor('return globalThis')()"),
  way("the constructor of a constructor", "fn.constructor.constructor('return this')()"),
  way("Function", "Function('return this')()"),
  way("new Function", "new Function('return this')()"),
  way("an async function's constructor", "(async () => {}).constructor('return this')"),
  way("a generator function's constructor", "(function* () {}).constructor('yield this')().next().value"),
  way("an async generator function's constructor", "(async function* () {}).constructor('yield this')"),
  way("eval", "eval('this')"),
  way("indirect eval", "(0, eval)('this')"),
  way("eval in a getter", "({ get x() { return eval('globalThis'); } }).x"),
  way("import()", "import('fs')"),
  way("import() in a function's text", "ctx.step.constructor(\"return import('fs')\")()"),
  way("import() of std", "Function(\"return import('std')\")()"),
  way("import() of os", "Function(\"return import('os')\")()"),
  way("import.meta", "Function('return import.meta')()"),
  way("the error of an import", "(() => { let e; Function(\"return import('x')\")().catch((x) => { e = x; }); return e; })()"),
  way("an error's constructor", "(() => { try { null.x; } catch (e) { return e.constructor.constructor('return this')(); } })()"),
  way("an error of the API", "(() => { try { fn.remove(null); } catch (e) { return e.constructor.constructor('return this')(); } })()"),
  way("the stack of an error", "new Error('x').stack"),
  way(
    "Error.prepareStackTrace",
    "(() => { Error.prepareStackTrace = (e, s) => s; const s = new Error().stack; return s && s[0] && s[0].getThis && s[0].getThis(); })()",
  ),
  way("Error.captureStackTrace", "(() => { const o = {}; Error.captureStackTrace?.(o); return o.stack; })()"),
  way("callers", "(function f() { return f.caller; })()"),
  way("arguments.callee", "(function () { return arguments.callee.caller; })()"),
  way("with", "Function('o', 'with (o) { return constructor.constructor(\"return this\")(); }')({})"),
  way("a tagged template", "((s) => s.raw.constructor.constructor('return this')())`x`"),
  way("a proxy that hears everything", "new Proxy(fn, { get: (t, k) => t[k] })"),
  way("a proxy around the global object", "new Proxy(globalThis, {})"),
  way("Reflect.construct", "Reflect.construct(Function, ['return this'])()"),
  way("Reflect.apply", "Reflect.apply(Function, null, ['return this'])()"),
  way("bind", "Function.bind(null, 'return this')()()"),
  way(
    "Symbol.species",
    "(() => { class A extends Array { static get [Symbol.species]() { return Function; } } return new A(1, 2).map(() => 1); })()",
  ),
  way("Symbol.toPrimitive", "(() => { let t; '' + { [Symbol.toPrimitive]() { t = this; return ''; } }; return t; })()"),
  way("Symbol.hasInstance", "(() => { let t; ({}) instanceof { [Symbol.hasInstance](v) { t = this; return true; } }; return t; })()"),
  way("Symbol.unscopables", "Function('with (globalThis) return this')()"),
  way("an iterator's prototype", "Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())).constructor"),
  way("a thenable", "(() => { let t; Promise.resolve({ then(a) { t = a; } }); return t; })()"),
  way("a promise that waits", "(async () => { await 0; return globalThis; })()"),
  way("a rejected promise", "Promise.reject(globalThis)"),
  way("a finalizer", "typeof FinalizationRegistry === 'undefined' ? null : new FinalizationRegistry(() => {})"),
  way("a weak reference", "typeof WeakRef === 'undefined' ? null : new WeakRef(fn)"),
  way("the class of the function", "fn.constructor"),
  way("another function of its class", "new fn.constructor({ actions: { func: {} } }, [])"),
  way("the class of a block", "fn.entry.constructor"),
  way("the class of an instruction", "fn.entry.insts[0].constructor"),
  way("private parts", "fn['#actions'] ?? fn.actions ?? ctx.actions ?? ctx.views"),
  way("what require has", "require('oriscope/pass').definePass.constructor('return this')()"),
  way("the module", "module"),
  way("the exports", "exports"),
  way("the line counter", "__line"),
  way("a deleted global", "(() => { delete globalThis.Object; return globalThis; })()"),
  way("shared memory", "typeof SharedArrayBuffer === 'undefined' ? null : new SharedArrayBuffer(8)"),
  way("hashbangs and comments", "eval('<!-- x\\nthis')"),
  way(
    "a template of Function's four kinds",
    "[Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor].map((F) => { try { return F('return this'); } catch { return null; } })[0]()",
  ),
];

const SPENDING: readonly HostilePass[] = [
  spends("arrays without end", "const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"),
  fills("four gigabytes", "const all = []; for (let i = 0; i < 64; i++) all.push(new Uint8Array(64 * 2 ** 20).fill(1));"),
  spends("a string without end", "let s = 'x'; for (;;) s += s;"),
  spends("padStart", "'x'.padStart(2 ** 31 - 1, 'ab');"),
  fills("repeat", "'x'.repeat(2 ** 29) + 'y'.repeat(2 ** 29);"),
  spends("a search in nothing", "[].indexOf.call({ length: 2 ** 53 - 1 }, 1);"),
  spends("includes in nothing", "[].includes.call({ length: 2 ** 53 - 1 }, 1);"),
  spends("reverse of nothing", "[].reverse.call({ length: 2 ** 53 - 1 });"),
  spends("forEach of nothing", "[].forEach.call({ length: 2 ** 53 - 1 }, () => 1);"),
  spends("copyWithin of nothing", "[].copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);"),
  spends("lastIndexOf of nothing", "[].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);"),
  spends("a set of an endless list", "new Set(Array.prototype.values.call({ length: 2 ** 53 - 1 }));"),
  spends("sorting nothing", "[].sort.call({ length: 2 ** 53 - 1 });"),
  spends("joining nothing", "[].join.call({ length: 2 ** 53 - 1 }, '');"),
  spends("great numbers", "let x = (1n << 400000n) - 1n; for (;;) x * x;"),
  spends("a power of great numbers", "let x = 3n; for (;;) x = x ** 99n;"),
  spends("a search in a long text, again and again", "const s = 'a'.repeat(1e6); for (;;) s.indexOf('b');"),
  spends("copies of a long array", "const a = new Uint8Array(1e7); for (;;) a.slice();"),
  spends("sorting again and again", "const a = Array.from({ length: 1e4 }, (_, i) => (i * 7919) % 10007); for (;;) a.toSorted();"),
  spends("JSON again and again", "const a = Array.from({ length: 1e4 }, () => ({ a: 1 })); for (;;) JSON.parse(JSON.stringify(a));"),
  spends("an expression with a bomb", "/^(a+)+$/.test('a'.repeat(60) + 'b');"),
  spends("an expression with a bomb of two equal ways", "/^(a|a)*$/.test('a'.repeat(60) + 'c');"),
  spends("an expression with a bomb in replace", "'a'.repeat(60).replace(/(a*)*b/g, '');"),
  spends("an endless generator", "for (const _ of (function* () { for (;;) yield 1; })()) ;"),
  spends("spreading an endless generator", "[...(function* () { for (;;) yield 1; })()];"),
  spends("a loop when the file is loaded", "", "while (true) {}"),
  spends("recursion when the file is loaded", "", "(function f() { f(); })();"),
  spends("recursion by a getter", "const o = { get x() { return this.x; } }; o.x;"),
  spends("recursion by toString", "const o = { toString() { return '' + o; } }; '' + o;"),
  spends("recursion by a proxy", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x;"),
  spends("recursion by bind", "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f();"),
  spends("recursion that catches", "const f = (d) => { try { return f(d + 1); } catch { return f(d); } }; f(0);"),
  spends("recursion by sort", "const f = () => [2, 1].sort(f); f();"),
  spends("recursion by replace", "const f = () => 'a'.replace(/a/, f); f();"),
  spends("recursion by a constructor", "class A { constructor() { new A(); } } new A();"),
  spends("brackets in JSON", "for (;;) { try { JSON.parse('['.repeat(1e5)); } catch {} }"),
  spends("brackets in eval", "for (;;) { try { eval('['.repeat(1e4)); } catch {} }"),
  spends("a loop in finally", "try { for (;;) ; } finally { for (;;) ; }"),
  spends("a loop that labels itself", "a: for (;;) { b: for (;;) continue a; }"),
  spends("keys without end", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;"),
  spends("symbols without end", "for (let i = 0; ; i++) Symbol.for('s' + i);"),
  spends("maps without end", "const m = new Map(); for (let i = 0; ; i++) m.set(i, m);"),
  spends("closures without end", "let f = null; for (;;) { const g = f; f = () => g; }"),
  spends("promises without end", "for (;;) Promise.resolve().then(() => 1);"),
  spends("steps without end", "for (;;) ctx.step('x'.repeat(1000));"),
  spends("a giant trace", "for (;;) ctx.step('x'.repeat(100000));"),
  spends("tables without end", "const t = ctx.table('t'); for (let i = 0; ; i++) t.set(i, Array.from({ length: 1000 }, (_, j) => j));"),
  spends("instructions without end", "for (;;) fn.insertBefore(fn.entry.insts[0], 'IADD R1, R0, 1');"),
  spends("a thrown text without end", "throw { toString() { for (;;) ; } };"),
];

const TAMPERING: readonly HostilePass[] = [
  tampers(
    "everything at once",
    `Object.prototype.ended = "time"; Object.prototype.toJSON = () => "x"; Array.prototype.push = () => { throw 1; };
Map.prototype.get = () => undefined; String.prototype.replace = () => "y"; JSON.stringify = () => "z"; JSON.parse = () => 1;`,
  ),
  tampers("toJSON of all objects", "Object.prototype.toJSON = () => ({ text: '', changed: true });"),
  tampers("toJSON of texts", "String.prototype.toJSON = () => 'x'.repeat(1e6);"),
  tampers("answers by setters", "Object.defineProperty(Object.prototype, 'text', { set() {}, get() { return 'EXIT'; } });"),
  tampers("then of all objects", "Object.prototype.then = (a) => a({ text: 'EXIT' });"),
  tampers("__proto__ of answers", "Object.prototype.__defineGetter__('failed', () => ({ message: 'x', line: 1 }));"),
  tampers("iteration of arrays", "Array.prototype[Symbol.iterator] = function* () {};"),
  tampers("map of arrays", "Array.prototype.map = function () { return new Array(11e5).fill(1); };"),
  tampers("map of arrays, with objects", "Array.prototype.map = function () { return Array.from({ length: 1e5 }, () => ({})); };"),
  tampers(
    "has of sets",
    "const has = Set.prototype.has; Set.prototype.has = function (k) { return k === 'dominators' ? false : has.call(this, k); };",
  ),
  tampers("numbers as texts", "Number.prototype.toString = () => { throw 1; };"),
  tampers("Symbol.toStringTag", "Object.prototype[Symbol.toStringTag] = 'Map';"),
  tampers("Function.prototype.call", "Function.prototype.call = Function.prototype.apply = () => { throw 1; };"),
  tampers("constructors", "Error = TypeError = RangeError = Map = Set = Array = undefined;"),
  tampers(
    "frozen built-ins",
    "for (const k of Object.getOwnPropertyNames(globalThis)) try { Object.freeze(globalThis[k].prototype); } catch {}",
  ),
];

const SAYING: readonly HostilePass[] = [
  { what: "an endless loop", source: pass("for (;;) ;"), says: /^line 4: The pass did not end within \d+ million steps/ },
  {
    what: "an endless loop that catches everything",
    source: pass("for (;;) { try { for (;;) ; } catch {} }"),
    says: /^line 4: The pass did not end/,
  },
  says("endless recursion", "const f = () => f() + 1; f();", /^line 4: The pass recurses too deeply/),
  says("endless promises", "const again = () => Promise.resolve().then(again); again();", /^fine/),
  says("waiting for another thread", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);", /^line/),
  says("an array that is too long", "[].concat(Array.from({ length: 1e9 }, (_, i) => i * i));", SPENT),
  says("endless messages", "globalThis.postMessage('x');", /^line 4: (?:TypeError: )?not a function/),
  says("the network", "fetch('/stolen');", /'?fetch'? is not defined/),
  says("scripts", "importScripts('/stolen.js');", /importScripts'? is not defined/),
  says("storage", "localStorage.setItem('a', 'b');", /localStorage'? is not defined/),
  says("the page around it", "parent.document.body.remove();", /parent'? is not defined/),
  says("the process", "process.exit(3);", /process'? is not defined/),
  says("the process by a constructor", "fn.constructor('return process')().exit(3);", /^line 4/),
  says("files", "require('fs').readFileSync('/etc/passwd');", /may import only "oriscope\/pass"/),
  {
    what: "files by an import",
    source: `import { readFileSync } from "node:fs";\n${pass("readFileSync('/etc/passwd')")}`,
    says: /may import only "oriscope\/pass", not "node:fs"/,
  },
  says("chance", "if (Math.random() > 2) fn.name;", /A pass has no randomness/),
  says("the clock", "new Date();", /A pass has no clock/),
  says("the clock by its name", "Date.now();", /A pass has no clock/),
  { what: "an async pass", source: pass("").replace("run(fn, ctx)", "async run(fn, ctx)"), says: /is not async/ },
  says("a removed instruction", "const i = fn.entry.insts[0]; fn.remove(i); fn.remove(i);", /The instruction was removed/),
  says("nothing as an instruction", "fn.remove(null);", /null is not an instruction/),
  says("a number as an instruction", "fn.append(fn.entry, 42);", /An instruction must be a line of text/),
  says("an object as an instruction", "fn.remove({ id: 0, toString() { throw 1; } });", /is not an instruction/),
  says("no such instruction", "fn.append(fn.entry, 'IAD R1, R0, 1');", /IAD/),
  says("a register from nowhere", "fn.append(fn.entry, 'MOV R99, 1');", /R99 is not a register of k/),
  says("code after a branch", "fn.insertAfter(fn.entry.insts[1], 'MOV R1, 1');", /Nothing may come after a branch/),
  says("something thrown that cannot be read", "throw { get message() { throw 1; }, toString() { throw 2; } };", /^line 4: The pass threw/),
  { what: "no pass", source: "export const x = 1;", says: /The file has no pass/ },
  { what: "no TypeScript", source: "export default definePass({", says: /Unexpected token|end of/ },
  { what: "brackets without end", source: `export default ${"[".repeat(95_000)}`, says: /nested too deeply|Unexpected/ },
];

export const HOSTILE: readonly HostilePass[] = [...SAYING, ...WAYS, ...SPENDING, ...TAMPERING];
