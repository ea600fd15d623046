import {
  type BinaryOperationNode,
  type Dialect,
  type FunctionNode,
  OperatorNode,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
} from 'kysely'
import pg from 'pg'
import type { Engine, EngineAdapter } from '../engine.ts'
import { writeExpression } from '../engine-expressions.ts'
import { postgresExpressions } from './expressions.ts'

const { builtins } = pg.types
const INT4_MAX = 2 ** 31 - 1

/** @param settings.pool which this dialect ends */
export function postgresDialect(settings: { pool: PostgresPool; engine: Engine }): Dialect {
  return new (class extends PostgresDialect {
    override createAdapter(): PostgresAdapter {
      return new EngineNamingAdapter(settings.engine)
    }

    override createQueryCompiler(): PostgresQueryCompiler {
      return new TypedNumbersCompiler()
    }
  })({ pool: settings.pool })
}

class EngineNamingAdapter extends PostgresAdapter implements EngineAdapter {
  readonly engine: Engine

  constructor(engine: Engine) {
    super()
    this.engine = engine
  }
}

/**
 * Says of each number which type it has. SQLite sees that by the value; PostgreSQL would take one of which it knows
 * nothing else for a text.
 */
class TypedNumbersCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(value)
    if (typeof value === 'number') this.append(`::${typeOfNumber(value)}`)
  }

  /** In no list, which SQLite takes as it is: nothing is. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { rightOperand: list, operator } = node
    const isEmptyList = PrimitiveValueListNode.is(list) && list.values.length === 0
    if (!isEmptyList) super.visitBinaryOperation(node)
    else this.append(OperatorNode.is(operator) && operator.operator === 'in' ? 'false' : 'true')
  }

  protected override visitFunction(node: FunctionNode): void {
    const written = writeExpression(postgresExpressions, node)
    if (written) this.visitNode(written)
    else super.visitFunction(node)
  }
}

function typeOfNumber(value: number): string {
  if (!Number.isSafeInteger(value)) return 'float8'
  return Math.abs(value) <= INT4_MAX ? 'int4' : 'int8'
}

/** Reads numbers of every kind as numbers, and what is true or false as SQLite has it. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0)
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format)
  },
}
