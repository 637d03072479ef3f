/** Conditions and gates in plain words, as what keeps a rewrite from happening; the reference's own names stay one press away. */

export interface ConditionName {
  /** What is the matter, in words: 'no: reads memory'. */
  readonly plain: string;
  /** What else one may search for. */
  readonly also?: string;
}

/** By the name that events carry. One that is not here is its own words: `two-conditions`. */
const CONDITIONS: Readonly<Record<string, readonly [plain: string, also?: string]>> = {
  // Value numbering: T1 to T6 of a lookup.
  T1: ["no dominator"],
  T2: ["no leader above", "empty slot, dominator record"],
  T3: ["dominator closed to it", "scope, dominator marked"],
  T4: ["leader does not dominate", "dominance, dominators"],
  T5: ["leader copied already", "move, MOV, duplicate"],
  copy: ["already a move", "copy, MOV"],
  scope: ["leader out of reach", "extended basic block, scope, dominator record"],
  T6: ["a copy of the leader", "move, MOV"],
  leader: ["first of its value", "leader, representative, table miss"],
  eligible: ["not eligible", "opcode may not be commoned"],
  barrier: ["after a barrier", "synchronisation, fence, bar.sync"],
  overwritten: ["leader overwritten", "redefined, clobbered"],
  "register-class": ["registers of different kinds", "uniform register"],
  // Late common subexpressions: the seven conditions for a pair.
  C1: ["different operations"],
  C2: ["candidate does not dominate", "dominance, dominators"],
  C3: ["memory may differ in between", "store, alias, memory state"],
  C4: ["different guards", "predicates"],
  C5: ["no operands"],
  C6: ["different operand positions", "definitions and uses"],
  C7: ["operands differ"],
  C7a: ["operands of different kinds"],
  C7b: ["different modifiers", "negation, rounding"],
  C7c: ["registers of different kinds", "register class, width"],
  C7d: ["value overwritten", "redefined, clobbered, chain slot"],
  candidate: ["first of its kind", "hash miss"],
  "class-mask": ["class not seen before", "bit mask, Bloom filter"],
  // Backward copy propagation.
  "guard 1": ["several readers", "single use, only use"],
  "guard 2": ["definition must stay", "register class, fixed result"],
  "guard 3": ["destination written in between", "redefined, clobbered"],
  "guard 3 (read)": ["destination read in between", "live"],
  definition: ["not defined in this block before it", "definition"],
  // Combining nested conditions.
  "1 side effects": ["has side effects", "speculation, not pure"],
  "1 excluded opcode": ["opcode is excluded"],
  "2 live-out value": ["result is live after it", "liveness, live out"],
  "2 PHI input": ["PHI takes different values"],
  "4 dependent predicates": ["depends on the outer condition"],
  "4 predication lock": ["has a guard", "predicated"],
  "4 combined compare": ["compare is combined already"],
  "5 three inputs": ["three inputs already", "PLOP3, lookup table"],
  "merge-point": ["no common target", "merge point, join"],
  "only-predecessor": ["entered from elsewhere", "several predecessors"],
  cost: ["costs too much", "budget, price"],
  // Correlated branch elimination.
  "4 single definition": ["several definitions"],
  "5 predication": ["has a guard", "predicated"],
  "6 format": ["predicates of different kinds"],
  "6 shape": ["different computations"],
  "7 operand": ["operands differ"],
  "8 negation": ["opposite conditions", "negated"],
  "8 modifiers": ["different modifiers", "negation, absolute value"],
  "9 depth": ["too deep to compare", "recursion"],
  "9 alias hazard": ["value may change", "memory, alias, volatile"],
  "9 sub-DAG": ["definitions differ", "expression tree"],
  level: ["optimization level too low"],
  // Copy propagation.
  CopyPropAddr: ["switched off for addresses", "knob"],
  CopyPropBudget: ["budget spent", "limit"],
  CopyPropGlobalBudget: ["budget spent", "limit"],
  CopyPropConstantBank: ["switched off for constant memory", "knob, bank"],
  CopyPropNoMmaCb: ["switched off for matrix operands", "knob, MMA, constant bank"],
  CopyPropNoWriteNonRR: ["switched off for this form", "knob"],
  CopyPropPreAllocReg: ["register has a place already", "pre-allocated, knob"],
  "limit-fold-fp": ["folding of floating point is limited", "knob"],
  "not-dominating": ["copy does not dominate the use", "dominance, dominators"],
  "decided-branch": ["would decide the branch"],
  "no-predicate-marking": ["not under a guard on this target", "predicate"],
  uniform: ["uniform register"],
  "605": ["nothing new is let in", "knob 605"],
  flags: ["kind not looked at"],
  "plain-copy": ["not a plain copy"],
  // Branches, tails and layout.
  convergence: ["would change which lanes run together", "divergence, reconvergence, warp"],
  "lanes-regroup": ["lanes would reconverge elsewhere", "divergence, reconvergence, warp"],
  "region-end": ["end of a convergence region", "BSSY, BSYNC"],
  "table-entry": ["entry of a jump table", "address taken, LEA"],
  reachable: ["reachable", "dead block"],
  named: ["named by an instruction", "BSSY, jump table"],
  "not-constant": ["condition not known", "constant folding"],
  "not-empty": ["target not empty", "jump threading"],
  "not-next": ["target not next", "fall through"],
  "one-walk": ["left for the next round"],
  "no-default": ["no default case"],
  "analyzable-branch": ["branch cannot be analysed", "analyzeBranch"],
  "reversible-condition": ["condition cannot be reversed"],
  "single-predecessor": ["several predecessors"],
  "defines-condition": ["writes what the branch tests"],
  "loop-entry": ["a second way into the loop", "irreducible"],
  "tail-length": ["common tail too short", "tail merging"],
  "tail-merge-threshold": ["limit of candidates reached", "knob, budget"],
  "structured-cfg": ["control flow must stay structured"],
  profit: ["saves nothing", "cost"],
  "no-back-edge": ["no back edge", "latch, loop"],
  "no-retreating-edge": ["no edge comes back", "loop header"],
  irreducible: ["irreducible", "several entries of a loop, dominance"],
  "re-entry guard": ["running already", "nested call"],
  // Switches and convergence regions.
  "no-selector": ["no register to select by", "switch"],
  "no-constant": ["no constant to compare with"],
  "selector-changed": ["selector is written", "redefined"],
  "predicate-used": ["predicate is used", "live"],
  "head-value-used": ["value is used elsewhere", "live out"],
  cascade: ["compares are cheaper", "cascade, switch"],
  profile: ["a profile fixes the layout", "weights, PGO"],
  "guarded-pair": ["region is guarded", "BSSY, BSYNC"],
  tagged: ["region is marked"],
  budget: ["budget spent", "limit, knob"],
  // Reassociation, if-conversion, selects, dead code, local memory.
  canonical: ["in canonical order already"],
  measured: ["never seen in ptxas", "measured policy"],
  "sub-stays": ["subtraction stays"],
  skip: ["let pass by a knob"],
  window: ["too far back", "window"],
  operands: ["values do not fit", "SEL"],
  shape: ["no triangle or diamond", "shape of the branches"],
  length: ["an arm is too long", "threshold, knob"],
  "coupled-length": ["the arms are too long together", "threshold, knob"],
  "uniform-only": ["needs a uniform condition", "vote, warp, divergence"],
  live: ["result is read", "liveness, dead code"],
  effect: ["has an effect", "side effects, store"],
  "address-taken": ["its address is used", "escapes"],
  "shared-with": ["another function uses it", "callers, callees"],
  volatile: ["volatile"],
  bound: ["index has no bound", "overflow, wraps"],
};

/** Gates of the positions and of the phases, by the name that they carry. */
const GATES: Readonly<Record<string, string>> = {
  modelled: "modelled here",
  "no-phase": "not left out",
  level: "optimization level",
  knob: "its knob",
  slot: "this target has it",
  policy: "policy",
  "config+33192": "configuration",
  "+1382 bit 2": "optimization level",
  "+1056": "first time",
  sub_8F3EA0: "something to do",
  flags: "kinds of copies",
  "605": "new copies",
  function: "something to look at",
  ebb: "long straight pieces",
  NoPHIs: "no PHIs",
  "branch-fold-placement": "placement allowed",
};

const words = (name: string): string => name.replaceAll("-", " ").toLowerCase();

export function conditionName(condition: string): ConditionName {
  const known = CONDITIONS[condition];
  return known === undefined ? { plain: words(condition) } : { plain: known[0], ...(known[1] === undefined ? {} : { also: known[1] }) };
}

/** What a press or a hover adds to the plain name: the reference's own; null where that says the same. */
export function conditionReference(condition: string): string | null {
  return words(condition) === conditionName(condition).plain ? null : condition;
}

/** Why a phase changed nothing, with the conditions of 'was refused: several-definitions (5 times), shape' in plain words. */
export function plainReason(reason: string): string {
  const [, before, list] = /^(.*\brefused: )(.*)$/s.exec(reason) ?? [];
  if (before === undefined || list === undefined) return reason;
  const plain = list.split(", ").map((item) => {
    const [, name = item, times = ""] = /^(.*?)((?: \(\d+(?: times)?\))?\)?(?:[.;] .*)?)$/s.exec(item) ?? [];
    return (CONDITIONS[name]?.[0] ?? (/^[a-z]+(-[a-z]+)+$/.test(name) ? words(name) : name)) + times;
  });
  return before + plain.join(", ");
}

export function gateName(gate: string): string {
  return GATES[gate] ?? words(gate);
}

/** The conditions, by the names that events carry, that a text means: by their plain words, their synonyms or the reference's name. */
export function conditionsFound(text: string): ReadonlySet<string> {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < 2) return new Set();
  const says = ([name, [plain, also]]: readonly [string, readonly [string, string?]]): boolean =>
    `${name} ${plain} ${also ?? ""}`.toLowerCase().includes(wanted);
  return new Set(
    Object.entries(CONDITIONS)
      .filter(says)
      .map(([name]) => name),
  );
}
