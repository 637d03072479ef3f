/**
 * The readable part of a mangled C++ name (Itanium ABI): the function's own name, and the names, types and values of its template arguments and
 * parameters. No demangler: substitutions and operators are passed over, which is enough to tell the kernels of one file apart.
 */

export interface Mangled {
  /** The function's own name, without namespaces. */
  readonly base: string;
  /** Names, types and values after it, in order. */
  readonly words: readonly string[];
}

const BUILTIN: Readonly<Record<string, string>> = {
  b: "bool",
  c: "char",
  a: "signed char",
  h: "unsigned char",
  s: "short",
  t: "unsigned short",
  i: "int",
  j: "unsigned",
  l: "long",
  m: "unsigned long",
  x: "long long",
  y: "unsigned long long",
  f: "float",
  d: "double",
};

/** The end of a Rust name, which distinguishes builds, not functions. */
const HASH = /^h[0-9a-f]{16}$/;

/** null: the name is not mangled, or not as expected. */
export function readMangled(name: string): Mangled | null {
  if (!name.startsWith("_Z")) return null;
  const path: string[] = [];
  const words: string[] = [];
  /** What is open: nested names, template arguments, literals and so on, each ended by an E. */
  const open: string[] = [];
  let named = false;
  let at = 2;
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(name.slice(at))?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const close = (): void => {
    open.pop();
    // The function's name ends with the arguments of its last part, or with the nested name.
    if (open.length === 0) named = true;
  };
  while (at < name.length) {
    const top = open.at(-1);
    const digits = take(/^\d+/);
    if (digits !== null) {
      const ident = name.slice(at, at + Number(digits));
      if (ident.length < Number(digits)) return null;
      at += ident.length;
      const isPath = !named && (open.length === 0 || (open.length === 1 && top === "N"));
      if (isPath && !HASH.test(ident)) path.push(ident);
      else if (!isPath) words.push(ident);
      // Without a nested name around it, it is the name; arguments may follow.
      if (open.length === 0) named = true;
      if (top === "L") literal();
      continue;
    }
    const char = name[at] ?? "";
    if (char === "E") {
      at++;
      close();
      if (open.at(-1) === "L") literal();
    } else if (char === "L" && take(/^L[a-z]n?\w*?E/) !== null) {
      const value = /^L([a-z])(n?)(\d+)E$/.exec(name.slice(0, at).slice(name.lastIndexOf("L", at - 2)));
      if (value !== null) words.push(value[1] === "b" ? String(value[3] !== "0") : `${value[2] === "n" ? "-" : ""}${value[3]}`);
    } else if (take(/^(?:S[a-z]|S[0-9A-Z]*_|T[0-9A-Z]*_|A\d*_|D[a-z]|C[123]|D[012])/) !== null) {
      // A substitution, a template parameter, an array, a constructor.
    } else {
      at++;
      if ("NIJXFL".includes(char)) open.push(char);
      else if (BUILTIN[char] !== undefined && (named || top === "I" || top === "J")) words.push(BUILTIN[char]);
    }
  }
  const base = path.at(-1);
  return base === undefined ? null : { base, words };

  /** The value after the type of a literal. */
  function literal(): void {
    const value = take(/^n?\d+(?=E)/);
    if (value !== null) words.push(value.replace("n", "-"));
  }
}
