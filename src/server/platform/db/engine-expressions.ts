import {
  FunctionNode,
  type OperationNode,
  type RawBuilder,
  type SqlBool,
  sql,
  ValueNode,
} from 'kysely'

export type Expression = RawBuilder<unknown>

/**
 * Statements name these (`expressions.ts`); the engines' compilers replace them
 * (`sqlite/expressions.ts`, `postgres/expressions.ts`).
 */
export type EngineExpressions = {
  /** Columns `value` and `key`, the index from 0. */
  eachNumber: (values: readonly number[]) => Expression
  eachText: (values: readonly string[]) => Expression
  /** From a JSON array of strings. */
  eachOfJson: (json: Expression) => Expression
  /** @param time ISO 8601 */
  secondsSince: (time: Expression) => RawBuilder<number>
  daysSince: (time: Expression) => RawBuilder<number>
  /** In the format of `timestamp`. */
  timeIn: (milliseconds: number) => RawBuilder<string>
  lesserOf: (one: Expression, other: Expression) => RawBuilder<number>
  greaterOf: (one: Expression, other: Expression) => RawBuilder<number>
  readByIndex: (name: string) => Expression
  /** See `expressions.ts`. */
  joinFound: (join: { table: string; as: string; ids: Expression }) => Expression
  foldedText: (text: Expression) => RawBuilder<string>
  /** Case-sensitive. */
  contains: (text: Expression, part: string) => RawBuilder<SqlBool>
  /** ASCII letters in either case; `\` escapes. */
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
