import {
  FunctionNode,
  type OperationNode,
  type RawBuilder,
  type SqlBool,
  sql,
  ValueNode,
} from 'kysely'

export type Expression = RawBuilder<unknown>

/** Statements name these (`expressions.ts`); each engine's compiler replaces them (`sqlite/expressions.ts`, `postgres/expressions.ts`). */
export type EngineExpressions = {
  /** A table of the columns `value` and `key`, the index from 0. */
  eachNumber: (values: readonly number[]) => Expression
  eachText: (values: readonly string[]) => Expression
  /** As `eachText`, from a JSON array of strings. */
  eachOfJson: (json: Expression) => Expression
  /** @param time ISO 8601 */
  secondsSince: (time: Expression) => RawBuilder<number>
  daysSince: (time: Expression) => RawBuilder<number>
  /** The present time plus an offset, in the format of `timestamp`. */
  timeIn: (milliseconds: number) => RawBuilder<string>
  lesserOf: (one: Expression, other: Expression) => RawBuilder<number>
  greaterOf: (one: Expression, other: Expression) => RawBuilder<number>
  readByIndex: (name: string) => Expression
  /** As `joinFound` in `expressions.ts`. */
  joinFound: (join: { table: string; as: string; ids: Expression }) => Expression
  foldedText: (text: Expression) => RawBuilder<string>
  /** Case-sensitive. */
  contains: (text: Expression, part: string) => RawBuilder<SqlBool>
  /** ASCII letters match in either case; `\` escapes. */
  isLike: (text: Expression, pattern: string) => RawBuilder<SqlBool>
}

const NAME = /^engine\.(\w+)$/

export function engineExpression<Name extends keyof EngineExpressions>(
  name: Name,
  ...parts: Parameters<EngineExpressions[Name]>
): ReturnType<EngineExpressions[Name]> {
  const node = FunctionNode.create(`engine.${name}`, [ValueNode.create(parts)])
  return sql`${{ toOperationNode: () => node }}` as ReturnType<EngineExpressions[Name]>
}

/** @returns undefined for other functions */
export function writeExpression(
  own: EngineExpressions,
  node: FunctionNode,
): OperationNode | undefined {
  const name = NAME.exec(node.func)?.[1]
  if (name === undefined) return undefined
  const write = own[name as keyof EngineExpressions] as (...parts: unknown[]) => Expression
  return write(...((node.arguments[0] as ValueNode).value as unknown[])).toOperationNode()
}
