import type Sqlite from 'better-sqlite3'
import {
  type Dialect,
  type FunctionNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Engine, EngineAdapter } from '../engine.ts'
import { writeExpression } from '../engine-expressions.ts'
import { SharingDriver } from './driver.ts'
import { sqliteExpressions } from './expressions.ts'

const PREPARED_STATEMENTS_MAX = 1000

type Settings = {
  engine: Engine
  writes: boolean
  check?: ((statement: Sqlite.Statement) => void) | undefined
}

/**
 * Caches prepared statements: preparing costs more than most reads. See
 * docs/decisions/0003-one-synchronous-connection.md.
 */
export function sqliteDialect(
  sqlite: Sqlite.Database,
  { engine, writes, check = () => {} }: Settings,
): Dialect {
  const statements = new Map<string, Sqlite.Statement>()
  const prepare = (source: string): Sqlite.Statement => {
    // On a full disk SQLite has rolled back; a second error would hide the cause.
    if (source === 'rollback' && !sqlite.inTransaction) return sqlite.prepare('SELECT 0')
    const known = statements.get(source)
    if (known) {
      check(known)
      return known
    }
    const statement = sqlite.prepare(source)
    check(statement)
    if (statements.size >= PREPARED_STATEMENTS_MAX) statements.clear()
    statements.set(source, statement)
    return statement
  }
  const database = { prepare, close: () => sqlite.close() } as never
  return new (class extends SqliteDialect {
    override createDriver(): SqliteDriver {
      return new SharingDriver({ database, writes })
    }

    override createAdapter(): SqliteAdapter {
      return new TransactionalAdapter(engine)
    }

    override createQueryCompiler(): SqliteQueryCompiler {
      return new StablePlanCompiler()
    }
  })({ database })
}

class TransactionalAdapter extends SqliteAdapter implements EngineAdapter {
  readonly engine: Engine

  constructor(engine: Engine) {
    super()
    this.engine = engine
  }

  get cluster(): Cluster {
    return this.engine.cluster
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Writes parameters as `+?`, whose values the planner ignores: SQLite 3.54 would re-plan whenever
 * bindings are cleared, as better-sqlite3 does after each run. See
 * docs/decisions/0003-one-synchronous-connection.md.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override visitFunction(node: FunctionNode): void {
    const written = writeExpression(sqliteExpressions, node)
    if (written) this.visitNode(written)
    else super.visitFunction(node)
  }
}
