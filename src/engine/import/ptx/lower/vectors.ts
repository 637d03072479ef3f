/** Vector registers (`.reg .v4 .u32 q`) named whole: the statement with their components instead. */

import type { InstStmt, OperandAst } from "../ast.ts";
import type { Scope } from "../scopes.ts";

/** `q` becomes `{q.x, q.y, q.z, q.w}`, in an argument list the components one by one; the statement itself where it names no vector. */
export function withComponents(stmt: InstStmt): InstStmt {
  const operands = stmt.operands.map((operand) => expand(stmt.scope, operand));
  return operands.every((operand, i) => operand === stmt.operands[i]) ? stmt : { ...stmt, operands };
}

function expand(scope: Scope, operand: OperandAst): OperandAst {
  switch (operand.kind) {
    case "name": {
      const items = componentsOf(scope, operand);
      return items === null ? operand : { kind: "vec", items };
    }
    case "list":
      return { kind: "list", items: operand.items.flatMap((item) => componentsOf(scope, item) ?? [item]) };
    default:
      return operand;
  }
}

function componentsOf(scope: Scope, operand: OperandAst): OperandAst[] | null {
  if (operand.kind !== "name" || operand.part !== "") return null;
  const named = scope.find(operand.name);
  if (named?.kind !== "register" || named.parts === null) return null;
  return ["x", "y", "z", "w"].slice(0, named.width).map((part) => ({ ...operand, part }));
}
