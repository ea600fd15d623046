import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

type Table = keyof Schema & string
type Row<Name extends Table> = Selectable<Schema[Name]>
type NewRow<Name extends Table> = Insertable<Schema[Name]>
type Where<Name extends Table> = Partial<Row<Name>>
type Asked = Database | DatabaseTransaction

/** Kysely cannot follow a table whose name is a type parameter; the functions below check names and values. */
const untyped = (db: Asked) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
const nameOf = (table: Table): string => table

/** The rows with these values. */
export async function listRows<Name extends Table>(
  db: Asked,
  table: Name,
  where: Where<Name> = {},
): Promise<Row<Name>[]> {
  const rows = await untyped(db)
    .selectFrom(nameOf(table))
    .selectAll()
    .where((row) => row.and(where))
    .execute()
  return rows as unknown as Row<Name>[]
}

/** The first row with these values. @throws when there is none */
export async function readRow<Name extends Table>(
  db: Asked,
  table: Name,
  where: Where<Name> = {},
): Promise<Row<Name>> {
  const [row] = await listRows(db, table, where)
  if (!row) throw new Error(`There is no such row in ${table}: ${JSON.stringify(where)}`)
  return row
}

/** Inserts a row into a table with a numbered id. @returns the id */
export async function addRow<Name extends Table>(
  db: Asked,
  table: Name,
  row: NewRow<Name>,
): Promise<number> {
  const added = await untyped(db)
    .insertInto(nameOf(table))
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return Number(added.id)
}

export async function addRows<Name extends Table>(
  db: Asked,
  table: Name,
  rows: NewRow<Name> | readonly NewRow<Name>[],
): Promise<void> {
  await untyped(db).insertInto(nameOf(table)).values(rows).execute()
}

/** Writes `values` into the rows that have those of `where`: into all of them with `{}`. */
export async function changeRows<Name extends Table>(
  db: Asked,
  table: Name,
  { where, values }: { where: Where<Name>; values: Updateable<Schema[Name]> },
): Promise<void> {
  await untyped(db)
    .updateTable(nameOf(table))
    .set(values)
    .where((row) => row.and(where))
    .execute()
}
