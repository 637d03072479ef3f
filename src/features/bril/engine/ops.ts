/** The operations of Bril that have a form here: what they take and give, and what they do in a few words. */

/** `same`: the destination's own type. `elem`: what the first argument points to. */
export type BrilKind = "int" | "bool" | "float" | "char" | "ptr" | "any" | "elem";

export interface BrilOp {
  readonly args: readonly BrilKind[] | "some";
  readonly result: BrilKind | "same" | null;
  readonly labels: number;
  readonly meaning: string;
}

const op = (args: BrilOp["args"], result: BrilOp["result"], meaning: string, labels = 0): BrilOp => ({ args, result, labels, meaning });

const TABLE: Readonly<Record<string, BrilOp>> = {
  const: op([], "same", "a constant"),
  id: op(["any"], "same", "a copy"),
  add: op(["int", "int"], "int", "a + b, 64 bits"),
  sub: op(["int", "int"], "int", "a - b, 64 bits"),
  mul: op(["int", "int"], "int", "a * b, 64 bits"),
  div: op(["int", "int"], "int", "a / b towards zero; an error when b is 0"),
  eq: op(["int", "int"], "bool", "a = b"),
  lt: op(["int", "int"], "bool", "a < b"),
  gt: op(["int", "int"], "bool", "a > b"),
  le: op(["int", "int"], "bool", "a <= b"),
  ge: op(["int", "int"], "bool", "a >= b"),
  not: op(["bool"], "bool", "not a"),
  and: op(["bool", "bool"], "bool", "a and b"),
  or: op(["bool", "bool"], "bool", "a or b"),
  fadd: op(["float", "float"], "float", "a + b, double precision"),
  fsub: op(["float", "float"], "float", "a - b, double precision"),
  fmul: op(["float", "float"], "float", "a * b, double precision"),
  fdiv: op(["float", "float"], "float", "a / b, double precision; by 0: infinity"),
  feq: op(["float", "float"], "bool", "a = b"),
  flt: op(["float", "float"], "bool", "a < b"),
  fgt: op(["float", "float"], "bool", "a > b"),
  fle: op(["float", "float"], "bool", "a <= b"),
  fge: op(["float", "float"], "bool", "a >= b"),
  ceq: op(["char", "char"], "bool", "a = b"),
  clt: op(["char", "char"], "bool", "a < b"),
  cgt: op(["char", "char"], "bool", "a > b"),
  cle: op(["char", "char"], "bool", "a <= b"),
  cge: op(["char", "char"], "bool", "a >= b"),
  char2int: op(["char"], "int", "the code of a character"),
  int2char: op(["int"], "char", "the character of a code; an error outside of 0 to 1114111"),
  bitcast: op(["any"], "same", "the same 64 bits, read as the other type"),
  float2bits: op(["float"], "int", "the 64 bits of a float"),
  bits2float: op(["int"], "float", "the float of 64 bits"),
  alloc: op(["int"], "ptr", "a new region of so many cells; an error when there are none"),
  free: op(["ptr"], null, "gives a region back"),
  load: op(["ptr"], "elem", "the value in a cell"),
  store: op(["ptr", "elem"], null, "puts a value into a cell"),
  ptradd: op(["ptr", "int"], "same", "the pointer so many cells further"),
  print: op("some", null, "prints its arguments on a line"),
  jmp: op([], null, "goes to the label", 1),
  br: op(["bool"], null, "goes to the first label when the argument is true, else to the second", 2),
  ret: op("some", null, "returns"),
  call: op("some", "same", "calls a function"),
  nop: op([], null, "nothing"),
  phi: op("some", "same", "the value that belongs to the block control came from"),
  get: op([], "same", "the value that the last set sent to this name"),
  set: op(["any", "any"], null, "sends the second argument to the get of the first"),
  upsilon: op(["any", "any"], null, "sends the second argument to the phi of the first"),
  undef: op([], "same", "a value that nothing may read"),
};

const OPS = new Map(Object.entries(TABLE));

export const brilOp = (name: string): BrilOp | null => OPS.get(name) ?? null;

export const brilOpNames = (): readonly string[] => [...OPS.keys()];

/** Operations of extensions that change what control flow or memory mean. */
const WITHOUT_FORM: ReadonlyMap<string, string> = new Map([
  ["speculate", "speculation"],
  ["guard", "speculation"],
  ["commit", "speculation"],
  ["spawn", "threads"],
  ["join", "threads"],
  ["newpromise", "asynchronous execution"],
  ["resolve", "asynchronous execution"],
]);

/** The extension that an operation without a form here belongs to; null for others. */
export const extensionOf = (name: string): string | null => WITHOUT_FORM.get(name) ?? null;
