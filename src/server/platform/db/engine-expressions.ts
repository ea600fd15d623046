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
 * What engines have different words for. Statements name it (`expressions.ts`), and the compiler of the engine that
 * they are for writes it in the engine's words: `sqlite/expressions.ts`, `postgres/expressions.ts`.
 */
export type EngineExpressions = {
  /** A table of the values, in which `value` is each of them and `key` its place, counted from 0. */
  eachNumber: (values: readonly number[]) => Expression
  eachText: (values: readonly string[]) => Expression
  /** As `eachText`, of a text that is a JSON list of texts. */
  eachOfJson: (json: Expression) => Expression
  /** @param time ISO 8601 */
  secondsSince: (time: Expression) => RawBuilder<number>
  /** @param time ISO 8601 */
  daysSince: (time: Expression) => RawBuilder<number>
  /** The present moment and so many milliseconds, as `timestamp` writes it. */
  timeIn: (milliseconds: number) => RawBuilder<string>
  lesserOf: (one: Expression, other: Expression) => RawBuilder<number>
  greaterOf: (one: Expression, other: Expression) => RawBuilder<number>
  readByIndex: (name: string) => Expression
  /** After a table: joins the rows of another, `as` that name, whose ids a query of each row of the first finds. */
  joinFound: (join: { table: string; as: string; ids: Expression }) => Expression
  foldedText: (text: Expression) => RawBuilder<string>
  /** Whether a text contains another, letter by letter. */
  contains: (text: Expression, part: string) => RawBuilder<SqlBool>
  /** Whether a text is like a pattern, in which `\` escapes, whatever the case of a to z. */
  isLike: (text: Expression, pattern: string) => RawBuilder<SqlBool>
}

const NAME = /^engine\.(\w+)$/

/** An expression that is written when it is known for which engine. */
export function engineExpression<Name extends keyof EngineExpressions>(
  name: Name,
  ...parts: Parameters<EngineExpressions[Name]>
): ReturnType<EngineExpressions[Name]> {
  const node = FunctionNode.create(`engine.${name}`, [ValueNode.create(parts)])
  return sql`${{ toOperationNode: () => node }}` as ReturnType<EngineExpressions[Name]>
}

/** What a function's node stands for, when it is one of an engine's expressions. */
export function writeExpression(
  own: EngineExpressions,
  node: FunctionNode,
): OperationNode | undefined {
  const name = NAME.exec(node.func)?.[1]
  if (name === undefined) return undefined
  const write = own[name as keyof EngineExpressions] as (...parts: unknown[]) => Expression
  return write(...((node.arguments[0] as ValueNode).value as unknown[])).toOperationNode()
}
