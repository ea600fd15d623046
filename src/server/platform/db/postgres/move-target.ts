import { createRowSerializer } from '../move/canonical-rows.ts'
import { type MoveTarget, NOTES_TABLE, quoteName, quoteNames } from '../move/move-ends.ts'
import { connect } from './move-source.ts'
import { type Ask, asking, listSequences, readPostgresTables } from './move-tables.ts'

const NOTES = quoteName(NOTES_TABLE)

export async function openPostgresTarget(url: string): Promise<MoveTarget> {
  const client = await connect(url)
  const ask = asking(client)
  await ask('SET statement_timeout = 0')
  await ask('SET idle_in_transaction_session_timeout = 0')
  const reader = readPostgresTables(ask)
  const inOne = async (work: () => Promise<void>) => {
    await ask('BEGIN')
    try {
      await work()
      await ask('COMMIT')
    } catch (error) {
      await ask('ROLLBACK').catch(() => {})
      throw error
    }
  }
  const note = (kind: string, name: string, text: string) =>
    ask(
      `INSERT INTO ${NOTES} VALUES ($1, $2, $3) ON CONFLICT ("kind", "name") DO UPDATE SET "text" = "excluded"."text"`,
      [kind, name, text],
    )
  return {
    ...reader,
    async *readRows(table) {
      await ask('BEGIN')
      try {
        yield* reader.readRows(table)
      } finally {
        await ask('COMMIT')
      }
    },
    async readNotes(kind) {
      const [found] = await ask<{ name: string | null }>('SELECT to_regclass($1)::text AS "name"', [
        NOTES,
      ])
      if (!found?.name) return new Map()
      const rows = await ask<{ name: string; text: string }>(
        `SELECT "name", "text" FROM ${NOTES} WHERE "kind" = $1 ORDER BY "name" COLLATE "C"`,
        [kind],
      )
      return new Map(rows.map(({ name, text }) => [name, text]))
    },
    begin: (sourceId) =>
      inOne(async () => {
        await ask(`CREATE TABLE ${NOTES} ("kind" text NOT NULL, "name" text NOT NULL,
          "text" text NOT NULL, PRIMARY KEY ("kind", "name"))`)
        await note('source', '', sourceId)
      }),
    dropIndexes: () =>
      inOne(async () => {
        for (const { name, drop, make } of await listParts(ask)) {
          await note('statement', name, make)
          await ask(drop)
        }
      }),
    replaceRows: (table, { rows, note: describe }) =>
      inOne(async () => {
        const serializeRows = createRowSerializer(table)
        const columns = quoteNames(table.columns.map(({ name }) => name))
        await ask(`TRUNCATE ${quoteName(table.name)}`)
        const insert = `INSERT INTO ${quoteName(table.name)} (${columns})
          SELECT ${columns} FROM json_populate_recordset(NULL::${quoteName(table.name)}, $1::json)`
        // The next batch is read meanwhile.
        let before: Promise<unknown> = Promise.resolve()
        for await (const batch of rows) {
          const text = serializeRows(batch)
          await before
          before = ask(insert, [text])
          before.catch(() => {})
        }
        await before
        await note('table', table.name, describe())
      }),
    async forget(name) {
      await ask(`DELETE FROM ${NOTES} WHERE "kind" = 'table' AND "name" = $1`, [name])
    },
    async restore(lastIds) {
      await inOne(async () => {
        const statements = await ask<{ text: string }>(
          `SELECT "text" FROM ${NOTES} WHERE "kind" = 'statement' ORDER BY "name" COLLATE "C"`,
        )
        for (const { text } of statements) await ask(text)
        for (const { table, column, sequence } of await listSequences(ask)) {
          await ask(
            `SELECT setval($1::regclass, "id") FROM (
              SELECT greatest($2::bigint, (SELECT max(${quoteName(column)}) FROM ${quoteName(table)})) AS "id"
            ) AS "last" WHERE "id" > 0`,
            [sequence, lastIds.get(table) ?? 0],
          )
        }
        await ask(`DELETE FROM ${NOTES} WHERE "kind" = 'statement'`)
      })
      await ask('ANALYZE')
    },
    async finish() {
      await ask(`DROP TABLE ${NOTES}`)
    },
    close: () => client.end(),
  }
}

/** Indexes without constraints, foreign keys and triggers, oldest first. */
function listParts(ask: Ask) {
  return ask<{ name: string; drop: string; make: string }>(`
    SELECT '1 ' || "i"."relname" AS "name", format('DROP INDEX %I', "i"."relname") AS "drop",
      pg_get_indexdef("i"."oid") AS "make"
    FROM "pg_index" AS "x" JOIN "pg_class" AS "i" ON "i"."oid" = "x"."indexrelid"
    WHERE "i"."relnamespace" = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM "pg_constraint" AS "k" WHERE "k"."conindid" = "i"."oid")
    UNION ALL
    SELECT '2 ' || "c"."relname" || ' ' || "k"."conname",
      format('ALTER TABLE %I DROP CONSTRAINT %I', "c"."relname", "k"."conname"),
      format('ALTER TABLE %I ADD CONSTRAINT %I %s', "c"."relname", "k"."conname", pg_get_constraintdef("k"."oid"))
    FROM "pg_constraint" AS "k" JOIN "pg_class" AS "c" ON "c"."oid" = "k"."conrelid"
    WHERE "k"."connamespace" = current_schema()::regnamespace AND "k"."contype" = 'f'
    UNION ALL
    SELECT DISTINCT '3 ' || "c"."relname", format('ALTER TABLE %I DISABLE TRIGGER USER', "c"."relname"),
      format('ALTER TABLE %I ENABLE TRIGGER USER', "c"."relname")
    FROM "pg_trigger" AS "t" JOIN "pg_class" AS "c" ON "c"."oid" = "t"."tgrelid"
    WHERE "c"."relnamespace" = current_schema()::regnamespace AND NOT "t"."tgisinternal"
      AND "t"."tgenabled" = 'O'`)
}
