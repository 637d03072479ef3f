/** The rules of types and sizes: whether an instruction's operands fit one of the forms that PTX has of it. */

import type { InstStmt, MemoryAst, NameAst, OperandAst } from "./ast.ts";
import type { PtxCode } from "./codes.ts";
import type { Form, Need } from "./forms.ts";
import { typesOf } from "./forms.ts";
import { namedOf, type PtxRegister, type PtxVariable } from "./scopes.ts";
import type { OpSpelling } from "./spelling.ts";
import { isSpecialName, specialRegister } from "./sregs.ts";
import { PRED, type PtxType } from "./types.ts";

/** Version and target of the text; 0 where it names none. */
export interface Since {
  readonly isa: number;
  readonly sm: number;
}

export interface Complaint {
  readonly code: PtxCode;
  readonly message: string;
}

/** Texts of older versions leave out words that later ones require. */
const FIRST_CHECKED = 20;

/** What is wrong with a statement; null if it is right. */
export function checkStatement(stmt: InstStmt, at: Since): Complaint | null {
  const { op, operands } = stmt;
  const { forms } = op;
  if (forms === null || (at.isa > 0 && at.isa < FIRST_CHECKED)) return null;
  if (forms.length === 0) return { code: "PTX027", message: noSuchForm(op) };
  // Of several forms, one with the same number of operands determines the message.
  const alike =
    forms.length === 1 ? forms : forms.filter(({ least, needs }) => operands.length >= least && operands.length <= needs.length);
  let first: Complaint | null = null;
  for (const form of alike.length > 0 ? alike : forms) {
    const problem = misfit(stmt, operands, form, at);
    if (problem === null) return null;
    first ??= problem;
  }
  return first;
}

function noSuchForm(op: OpSpelling): string {
  const types = typesOf(op.root);
  const type = op.types[0];
  if (type !== undefined && types.length > 0 && !types.includes(type.name)) {
    return `'${op.root}' has no type .${type.name}; it has ${types.map((name) => `.${name}`).join(" ")}`;
  }
  return `PTX has no '${op.text}': a modifier or a type is missing, or does not belong there`;
}

function misfit(stmt: InstStmt, operands: readonly OperandAst[], form: Form, at: Since): Complaint | null {
  const { op } = stmt;
  const { needs, least, since, until } = form;
  if (operands.length < least || operands.length > needs.length) {
    const many = least === needs.length ? `${least}` : `${least} to ${needs.length}`;
    return { code: "PTX026", message: `'${op.text}' has ${many} operands, not ${operands.length}` };
  }
  if (at.isa > 0 && at.isa < since.isa) {
    return { code: "PTX028", message: `'${op.text}' needs .version ${since.isa / 10} or later` };
  }
  if (at.sm > 0 && at.sm < since.sm) return { code: "PTX028", message: `'${op.text}' needs .target sm_${since.sm} or later` };
  if (until.isa > 0 && at.isa >= until.isa && at.sm >= until.sm) {
    return { code: "PTX028", message: `'${op.text}' is not in .version ${until.isa / 10} and later for sm_${until.sm} and later` };
  }
  for (let i = 0; i < operands.length; i++) {
    const [need, operand] = [needs[i], operands[i]];
    if (need === undefined || operand === undefined || isPlain(stmt, operand, need, op)) continue;
    const problem = misfitOf(stmt, operand, need, op);
    if (problem !== null) return { code: "PTX026", message: `operand ${i + 1} of '${op.text}': ${problem}` };
  }
  return null;
}

/** A register of exactly the needed type, as nearly all operands are: no further check is needed. */
function isPlain(stmt: InstStmt, o: OperandAst, need: Need, op: OpSpelling): boolean {
  if (o.kind !== "name" || need.kind !== "value" || need.type === null || need.number || need.twoResults) return false;
  const named = namedOf(stmt.scope, o);
  return named?.kind === "register" && named.type === need.type && named.parts === null && o.part === "" && op.vector === 1;
}

/** Why an operand does not fit; null if it does, or if nothing is known about it. */
function misfitOf(stmt: InstStmt, o: OperandAst, need: Need, op: OpSpelling): string | null {
  switch (need.kind) {
    case "any":
      return null;
    case "mem":
      return misfitOfAddress(stmt, o, op);
    case "label":
      return o.kind === "name" ? null : "a label is expected";
    case "addr":
      if (o.kind !== "name" || namedOf(stmt.scope, o)?.kind === "variable") return "a register with an address is expected";
      return misfitOfBase(stmt, o);
    case "value":
      break;
  }
  const { type } = need;
  if (type === null) return null;
  if (need.twoResults && o.kind !== "pair") return "two results are expected";
  switch (o.kind) {
    case "name":
      return misfitOfName(stmt, o, need, type, op.vector);
    case "int":
      if (need.isResult) return RESULT;
      if (type.packed || (type.kind !== "u" && type.kind !== "s" && type.kind !== "b" && type.kind !== "pred")) {
        return `.${type.name} does not accept an integer`;
      }
      return need.below === 0 && need.multipleOf === 0 ? null : misfitOfNumber(BigInt.asUintN(64, BigInt(o.value)), need);
    case "f32":
    case "f64":
      if (need.isResult) return RESULT;
      if (type.kind === "f" && type.bits >= 32) return null;
      return type.kind === "b" && type.bits === (o.kind === "f32" ? 32 : 64)
        ? null
        : `.${type.name} does not accept a floating-point literal`;
    case "real":
      if (need.isResult) return RESULT;
      return type.kind === "f" && type.bits >= 32 ? null : `.${type.name} does not accept a floating-point literal`;
    case "sink":
      return need.dropped ? null : "'_' is not allowed here";
    case "not":
      return type.kind === "pred" ? misfitOf(stmt, o.of, need, op) : "'!' needs a predicate";
    // Met in old texts only.
    case "neg":
      return "a register cannot have a sign here";
    case "pair": {
      if (!need.pair) return "two results are not allowed here";
      const second =
        o.second.kind === "sink" ? null : misfitOf(stmt, o.second, { ...need, type: PRED, pair: false, twoResults: false }, op);
      return o.first.kind === "sink" && need.dropped
        ? second
        : (misfitOf(stmt, o.first, { ...need, pair: false, twoResults: false }, op) ?? second);
    }
    case "vec":
      return misfitOfVector(stmt, o.items, need, type, op);
    case "mem":
      return "an address is not allowed here";
    case "list":
      return "a list is not allowed here";
  }
}

function misfitOfNumber(value: bigint, { below, multipleOf }: Need): string | null {
  if (below > 0 && value >= BigInt(below)) return `a number below ${below} is expected`;
  return multipleOf > 0 && value % BigInt(multipleOf) !== 0n ? `a multiple of ${multipleOf} is expected` : null;
}

const RESULT = "a register is expected for the result";

function misfitOfName(stmt: InstStmt, o: NameAst, need: Need, type: PtxType, vector: number): string | null {
  const named = namedOf(stmt.scope, o);
  if (named?.kind === "register") {
    if (need.number) return "a number is expected";
    if (named.parts === null || o.part !== "") {
      const register = o.part === "" ? named : named.parts?.get(o.part);
      if (register === undefined) return `'${o.name}' has no part '.${o.part}'`;
      if (vector > 1 && need.vector && !need.packed) return `a vector of ${vector} is expected`;
      return misfitOfRegister(register, type, need);
    }
    const { width } = named;
    if (!need.vector || width !== vector) return `'${o.name}' is a vector of ${width}`;
    return misfitOfRegister(named, type, need);
  }
  if (isSpecialName(o.name)) {
    if (!need.special) return "a special register is read with mov";
    if (vector > 1) return null;
    const special = specialRegister(o.name, o.part);
    if (special === undefined) return null;
    if (type.kind === "f") return "a special register is not a floating-point number";
    const fits = need.wider || type.kind === "pred" || (special.bits === 64) === (type.bits === 64);
    return fits ? null : `'${o.name}' has ${special.bits} bits`;
  }
  if (named?.kind === "variable") {
    if (need.isResult) return RESULT;
    // An offset makes it an expression, which the assembler takes in more places.
    if (!need.address && o.offset === 0) return "a register or a number is expected";
    return type.kind === "f" ? "an address is not a floating-point number" : null;
  }
  return null;
}

/** A register fits a type of its size: bits fit all, integers each other whatever their sign, floats only floats. */
function misfitOfRegister(register: PtxRegister, type: PtxType, { wider, isFixed }: Need): string | null {
  const its = register.type;
  if (register.inferred || its === type) return null;
  const same = its.bits === type.bits;
  if (isFixed && !wider && its.packed && type.kind !== "b") return `'${register.name}' is .${its.name}`;
  if (fitsKind(its, type, same) && (same || (wider && its.bits > type.bits))) return null;
  return `'${register.name}' is .${its.name}, which does not fit .${type.name}`;
}

function fitsKind(its: PtxType, type: PtxType, same: boolean): boolean {
  if ((its.kind === "pred") !== (type.kind === "pred")) return false;
  if (type.packed) return its.kind === "b" || its.name === type.name || (its.name === "f16x2" && type.name !== "bf16x2");
  switch (type.kind) {
    case "b":
      return true;
    case "u":
    case "s":
      return its.kind !== "f" && its.kind !== "bf";
    case "f":
    case "bf":
      return its.kind === "b" || (same && its.kind === type.kind);
    default:
      return true;
  }
}

function misfitOfVector(stmt: InstStmt, items: readonly OperandAst[], need: Need, type: PtxType, op: OpSpelling): string | null {
  if (need.packed && op.vector === 1) {
    if (type.kind !== "b") return `packing needs a type of bits, not .${type.name}`;
    const each = type.bits / items.length;
    const element: PtxType = { name: `b${each}`, kind: "b", bits: each, packed: false };
    if (![8, 16, 32, 64].includes(each)) return `${items.length} elements do not make ${type.bits} bits`;
    return firstMisfit(stmt, items, { ...need, packed: false }, element, op);
  }
  if (!need.vector) return "a vector is not allowed here";
  if (items.length !== op.vector) return `the vector has ${items.length} elements, not ${op.vector}`;
  // Of registers only the size counts.
  const bits: PtxType = { ...type, kind: type.kind === "pred" ? "pred" : "b" };
  for (const item of items) {
    const problem = firstMisfit(stmt, [item], need, item.kind === "name" ? bits : type, op);
    if (problem !== null) return problem;
  }
  return null;
}

function firstMisfit(stmt: InstStmt, items: readonly OperandAst[], need: Need, type: PtxType, op: OpSpelling): string | null {
  const single = { ...op, vector: 1 };
  const element = { ...need, type, vector: false, dropped: true };
  for (const item of items) {
    const problem = item.kind === "vec" ? "vectors do not nest" : misfitOf(stmt, item, element, single);
    if (problem !== null) return problem;
  }
  return null;
}

const SPACES: Readonly<Record<string, PtxVariable["variable"]["space"]>> = {
  global: "global",
  shared: "shared",
  "shared::cta": "shared",
  local: "local",
  const: "const",
  param: "param",
};

function misfitOfAddress(stmt: InstStmt, o: OperandAst, op: OpSpelling): string | null {
  if (o.kind !== "mem") return "an address in brackets is expected";
  if (o.base === null) {
    const isElsewhere = op.mods.some((mod) => SPACES[mod] !== undefined && mod !== "local");
    return isElsewhere ? "only local memory has addresses that are numbers" : null;
  }
  const named = namedOf(stmt.scope, o);
  if (named?.kind !== "variable") return misfitOfBase(stmt, o);
  for (const mod of op.mods) {
    const space = SPACES[mod];
    if (space !== undefined && space !== named.variable.space) return `'${o.base}' is in .${named.variable.space}, not in .${space}`;
  }
  return null;
}

function misfitOfBase(stmt: InstStmt, o: NameAst | MemoryAst): string | null {
  const named = namedOf(stmt.scope, o);
  if (named?.kind !== "register") return null;
  const { kind, bits } = (o.part === "" ? named : (named.parts?.get(o.part) ?? named)).type;
  return (kind === "u" || kind === "s" || kind === "b") && bits >= 16 ? null : `'${o.kind === "name" ? o.name : o.base}' is not an address`;
}
