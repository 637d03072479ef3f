/** Passes that mean harm, and what each costs: a message. One list for the page's sandbox and the command line's process. */

export interface HostilePass {
  readonly what: string;
  readonly source: string;
  /** What is said of it; `fine: …` where it did nothing, with what it said of itself. */
  readonly says: RegExp;
}

const pass = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "hostile", run(fn, ctx) {\n${body}\n} });`;

/** A pass that does no harm, for afterwards. */
export const HARMLESS = pass("ctx.why('looked');");
export const HARMLESS_SAYS = "fine: looked";

/** The program that they are run on, of three instructions or more: the second one ends the entry. */
export const HOSTILE_PROGRAM = ".kernel k(n: R0, a: RD1)\nA:\n    IADD    R1, R0, 1\n    BRA     B\nB:\n    STG     [RD1], R1\n    EXIT\n";

/** The realm itself, which the code has no name for. */
const REALM = 'const realm = ctx.step.constructor("return globalThis")();';
/** What no realm of a pass has. A process's context keeps what the language has for shared memory and WebAssembly, which reach nothing. */
const OUTSIDE = [
  ..."postMessage addEventListener dispatchEvent onmessage importScripts fetch XMLHttpRequest WebSocket EventSource".split(" "),
  ..."BroadcastChannel MessageChannel Worker indexedDB caches localStorage navigator location parent top document".split(" "),
  ..."setTimeout queueMicrotask URL Blob structuredClone Date performance crypto process require module global Buffer".split(" "),
];

const LONG = /did not end within \d+ ms/;
const MEMORY = /did not end|allocation|memory/i;
const MUCH = /more than \d+ (?:characters|steps)|did not end|memory/;

export const HOSTILE: readonly HostilePass[] = [
  { what: "an endless loop", source: pass("for (;;) ;"), says: /^line 4: The pass did not end within \d+ ms/ },
  { what: "an endless loop that catches everything", source: pass("for (;;) { try { for (;;) ; } catch {} }"), says: LONG },
  { what: "a loop when the file is loaded", source: pass("", "while (true) {}"), says: /^line 2: The pass did not end/ },
  { what: "a loop in one expression", source: pass("/^(a+)+$/.test('a'.repeat(60) + 'b');"), says: LONG },
  {
    what: "a long loop in a library",
    source: pass("[].concat(Array.from({ length: 1e9 }, (_, i) => i * i));"),
    says: /did not end|memory|Invalid array length/,
  },
  { what: "endless recursion", source: pass("const f = () => f() + 1; f();"), says: /recurses too deeply|did not end|memory/ },
  {
    what: "endless promises",
    source: pass("const again = () => Promise.resolve().then(again); again();"),
    says: /did not end|memory|^fine/,
  },
  { what: "arrays without end", source: pass("const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"), says: MEMORY },
  {
    what: "four gigabytes",
    source: pass("const all = []; for (let i = 0; i < 64; i++) all.push(new Uint8Array(64 * 2 ** 20).fill(1));"),
    says: MEMORY,
  },
  { what: "steps without end", source: pass("for (;;) ctx.step('x'.repeat(1000));"), says: MUCH },
  { what: "a giant trace", source: pass("for (;;) ctx.step('x'.repeat(100000));"), says: MUCH },
  {
    what: "tables without end",
    source: pass("const t = ctx.table('t'); for (let i = 0; ; i++) t.set(i, Array.from({ length: 1000 }, (_, j) => j));"),
    says: MUCH,
  },
  {
    what: "instructions without end",
    source: pass("for (;;) fn.insertBefore(fn.entry.insts[0], 'IADD R1, R0, 1');"),
    says: /creates more than \d+ instructions|did not end/,
  },
  { what: "endless messages", source: pass(`${REALM} for (;;) realm.postMessage('x');`), says: /postMessage is not a function/ },
  {
    what: "ways out of the realm",
    source: pass(`${REALM} ctx.why("left: " + ${JSON.stringify(OUTSIDE)}.filter((name) => realm[name] !== undefined).join());`),
    says: /^fine: left: $/,
  },
  { what: "the network", source: pass("fetch('/stolen');"), says: /fetch is not a function/ },
  { what: "the network by another way", source: pass("new XMLHttpRequest();"), says: /XMLHttpRequest is not defined/ },
  { what: "a script from elsewhere", source: pass("import('/stolen.js');"), says: /^fine/ },
  { what: "scripts", source: pass("importScripts('/stolen.js');"), says: /importScripts is not a function/ },
  { what: "storage", source: pass("localStorage.setItem('a', 'b');"), says: /localStorage is not defined/ },
  { what: "the page around it", source: pass("parent.document.body.remove();"), says: /parent is not defined/ },
  { what: "the process", source: pass("process.exit(3);"), says: /process is not defined/ },
  {
    what: "the process by a constructor",
    source: pass("fn.constructor.constructor('return process')().exit(3);"),
    says: /process is not defined/,
  },
  {
    what: "the process by an error",
    source: pass("try { null.x } catch (e) { e.constructor.constructor('return process')().exit(3); }"),
    says: /process is not defined/,
  },
  {
    what: "the document by an error",
    source: pass("try { null.x } catch (e) { e.constructor.constructor('return document')(); }"),
    says: /document is not defined/,
  },
  { what: "files", source: pass("require('fs').readFileSync('/etc/passwd');"), says: /may import only "oriscope\/pass"/ },
  {
    what: "files by an import",
    source: `import { readFileSync } from "node:fs";\n${pass("readFileSync('/etc/passwd')")}`,
    says: /may import only "oriscope\/pass", not "node:fs"/,
  },
  { what: "chance", source: pass("if (Math.random() > 2) fn.name;"), says: /A pass has no randomness/ },
  { what: "the clock", source: pass("new Date();"), says: /Date is not a constructor/ },
  { what: "an async pass", source: pass("").replace("run(fn, ctx)", "async run(fn, ctx)"), says: /is not async/ },
  {
    what: "tricks with prototypes",
    source: pass(
      `Object.prototype.ended = "time"; Object.prototype.toJSON = () => "x"; Array.prototype.push = () => { throw 1; };
       Map.prototype.get = () => undefined; String.prototype.replace = () => "y"; JSON.stringify = () => "z"; JSON.parse = () => 1;`,
    ),
    says: /wrong form|not JSON|could not be run|threw|^fine|^line/,
  },
  {
    what: "a removed instruction",
    source: pass("const i = fn.entry.insts[0]; fn.remove(i); fn.remove(i);"),
    says: /The instruction was removed/,
  },
  { what: "nothing as an instruction", source: pass("fn.remove(null);"), says: /null is not an instruction/ },
  { what: "a number as an instruction", source: pass("fn.append(fn.entry, 42);"), says: /An instruction must be a line of text/ },
  { what: "an object as an instruction", source: pass("fn.remove({ id: 0, toString() { throw 1; } });"), says: /is not an instruction/ },
  { what: "no such instruction", source: pass("fn.append(fn.entry, 'IAD R1, R0, 1');"), says: /IAD/ },
  { what: "a register from nowhere", source: pass("fn.append(fn.entry, 'MOV R99, 1');"), says: /R99 is not a register of k/ },
  { what: "code after a branch", source: pass("fn.insertAfter(fn.entry.insts[1], 'MOV R1, 1');"), says: /Nothing may come after a branch/ },
  {
    what: "something thrown that cannot be read",
    source: pass("throw { get message() { throw 1; }, toString() { throw 2; } };"),
    says: /^line 4: The pass threw/,
  },
  { what: "no pass", source: "export const x = 1;", says: /The file has no pass/ },
  { what: "no TypeScript", source: "export default definePass({", says: /Unexpected token|end of/ },
];
