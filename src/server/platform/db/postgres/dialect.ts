import {
  type BinaryOperationNode,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type FunctionNode,
  OperatorNode,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryId,
  type RootOperationNode,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Engine, EngineAdapter } from '../engine.ts'
import { writeExpression } from '../engine-expressions.ts'
import { isPlace } from '../place.ts'
import { postgresExpressions } from './expressions.ts'

const { builtins } = pg.types
const INT4_MAX = 2 ** 31 - 1

type Settings = {
  pool: PostgresPool
  engine: Engine
  /** Called before each statement; throws to prevent it. */
  check?: (query: CompiledQuery) => void
  /** Timeout between statements of a transaction. */
  abandonedMs: number
  /** Lock timeout in a transaction; 0 for none. */
  lockWaitMs: number
}

export function postgresDialect(settings: Settings): Dialect {
  return new (class extends PostgresDialect {
    override createAdapter(): PostgresAdapter {
      return new EngineNamingAdapter(settings.engine)
    }

    override createQueryCompiler(): PostgresQueryCompiler {
      return new TypedNumbersCompiler(settings.check ?? (() => {}))
    }

    override createDriver(): PostgresDriver {
      return new BoundedTransactionsDriver(settings)
    }
  })({ pool: settings.pool })
}

/** Sets timeouts with the statement that begins a transaction: poolers share sessions. */
class BoundedTransactionsDriver extends PostgresDriver {
  readonly #bound: string

  constructor({ pool, abandonedMs, lockWaitMs }: Settings) {
    super({ pool })
    this.#bound = `SET LOCAL idle_in_transaction_session_timeout = ${abandonedMs}; SET LOCAL lock_timeout = ${lockWaitMs}`
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const modes = [isolationLevel && `ISOLATION LEVEL ${isolationLevel}`, accessMode]
    const begin = `BEGIN ${modes.filter(Boolean).join(', ')}`
    await connection.executeQuery(CompiledQuery.raw(`${begin}; ${this.#bound}`))
  }
}

class EngineNamingAdapter extends PostgresAdapter implements EngineAdapter {
  readonly engine: Engine

  constructor(engine: Engine) {
    super()
    this.engine = engine
  }

  get cluster(): Cluster {
    return this.engine.cluster
  }
}

/** PostgreSQL would take untyped parameters for text. */
class TypedNumbersCompiler extends PostgresQueryCompiler {
  readonly #check: (query: CompiledQuery) => void

  constructor(check: (query: CompiledQuery) => void) {
    super()
    this.#check = check
  }

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const query = super.compileQuery(node, queryId)
    this.#check(query)
    return query
  }

  protected override appendValue(value: unknown): void {
    super.appendValue(value)
    if (isPlace(value) && value.type === 'number') this.append('::int8')
    if (typeof value === 'number') this.append(`::${typeOfNumber(value)}`)
  }

  /** Lists for IN need no types. */
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

/** Numbers as numbers, booleans as 0 and 1. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0)
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format)
  },
}
