import { createHash } from 'node:crypto'
import { isForeignKeyViolation, isUniqueViolation } from '#server/platform/db/errors.ts'
import { createRowSerializer } from '#server/platform/db/move/canonical-rows.ts'
import type {
  MoveSource,
  MoveTarget,
  Row,
  Table,
  TableReader,
} from '#server/platform/db/move/move-ends.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'

const ROWS_SAID = 100_000

/** SHA-256 of rows by key. */
export type TableProof = { rows: number; hash: string }
export type MovedTable = TableProof & { name: string }

type Move = {
  source: MoveSource
  target: MoveTarget
  address: string
  /** PostgreSQL text cannot contain U+0000. */
  refusesZero: boolean
  complete: () => Promise<void>
  onStep: (sentence: string) => void
}

/**
 * To an empty, migrated database; verifies, then makes the source refuse writes. Repeating copies
 * missing and changed tables.
 * @throws AppError when a row does not fit or differs
 */
export async function moveDatabase(move: Move): Promise<MovedTable[]> {
  const { source, target, onStep } = move
  const tables = await listSameTables(move)
  if (move.refusesZero) await requireNoZero(source, tables)
  await target.dropIndexes()
  const known = await target.readNotes('table')
  const proofs = new Map<string, TableProof>()
  for (const table of tables) {
    const proof = await copyTable(move, { table, known: known.get(table.name) })
    proofs.set(table.name, proof)
    failpoint('move-database.copied')
  }
  onStep('Comparing the rows of both.')
  for (const table of tables) {
    const { hash } = await proveTable(target, table)
    if (hash === proofs.get(table.name)?.hash) continue
    await target.forget(table.name)
    throw new AppError(
      'unprocessable',
      `The rows of ${table.name} are not the same at ${move.address}. Run this again to copy them anew.`,
    )
  }
  onStep('Making the indexes.')
  await target.restore(await source.readLastIds()).catch((error) => {
    if (!isForeignKeyViolation(error)) throw error
    throw new AppError(
      'unprocessable',
      `A row points to one that is not there: ${error.message}. Nothing has changed at the site; npm run doctor says more.`,
    )
  })
  await move.complete()
  failpoint('move-database.compared')
  await source.markMoved(move.address)
  failpoint('move-database.left')
  await target.finish()
  return tables.map(({ name }) => ({ name, rows: 0, hash: '', ...proofs.get(name) }))
}

async function copyTable(
  { source, target, onStep }: Move,
  { table, known }: { table: Table; known: string | undefined },
): Promise<TableProof> {
  if (known !== undefined) {
    const proof = await proveTable(source, table)
    if (known === proof.hash) return proof
  }
  const tally = createTally(table)
  await target
    .replaceRows(table, {
      rows: tally.count(source.readRows(table)),
      note: () => tally.read().hash,
    })
    .catch((error) => {
      if (!isUniqueViolation(error)) throw error
      throw new AppError(
        'unprocessable',
        `Two rows of ${table.name} are the same to the other engine: ${error.message}. Nothing has changed at the site.`,
      )
    })
  const proof = tally.read()
  if (proof.rows >= ROWS_SAID) onStep(`Copied ${proof.rows} rows of ${table.name}.`)
  return proof
}

async function proveTable(reader: TableReader, table: Table): Promise<TableProof> {
  const tally = createTally(table)
  for await (const _ of tally.count(reader.readRows(table)));
  return tally.read()
}

/** Independent of batch sizes. */
function createTally(table: Table) {
  const serializeRows = createRowSerializer(table)
  const sum = createHash('sha256')
  let rows = 0
  let hash = ''
  return {
    async *count(batches: AsyncIterable<Row[]>): AsyncIterable<Row[]> {
      for await (const batch of batches) {
        rows += batch.length
        sum.update(`${serializeRows(batch).slice(1, -1)},`)
        yield batch
      }
    },
    read(): TableProof {
      hash ||= sum.digest('hex')
      return { rows, hash }
    },
  }
}

/** @throws AppError unless tables and columns are alike */
async function listSameTables({ source, target, address }: Move): Promise<Table[]> {
  const [tables, others] = [await source.listTables(), await target.listTables()]
  if (JSON.stringify(tables) === JSON.stringify(others)) return tables
  throw new AppError('conflict', `The tables at ${address} are not those of this version.`)
}

async function requireNoZero(source: MoveSource, tables: Table[]): Promise<void> {
  for (const table of tables) {
    const key = await source.findZeroCharacter(table)
    if (key === undefined) continue
    throw new AppError(
      'unprocessable',
      `The row of ${table.name} with ${key} has a text with the character 0, which PostgreSQL does not store. ` +
        'Nothing was moved: take it out there first.',
    )
  }
}
