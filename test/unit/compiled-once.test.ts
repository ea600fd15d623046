import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { openSqliteInMemory } from '#server/platform/db/sqlite/engine.ts'

describe('a query that is compiled once', () => {
  let db: Database
  let built = 0

  beforeAll(() => {
    db = openSqliteInMemory()
  })

  afterAll(() => db.destroy())

  const read = compiledOnce(
    (
      site,
      input: { from: { first: number } | undefined; word: string; isLoud: boolean; ids: number[] },
    ) => {
      built++
      return sql<{ value: number; word: string }>`
        SELECT "value", ${input.isLoud ? sql`upper(${input.word})` : sql`${input.word}`} AS "word"
        FROM ${listOf(input.ids)} WHERE ${input.from ? sql`"value" >= ${input.from.first}` : sql`TRUE`}
      `.compile(site)
    },
  )

  test('answers each time with what it is given', async () => {
    const one = { from: { first: 2 }, word: 'one', isLoud: false, ids: [1, 2, 3] }
    const found = [{ value: 2, word: 'one' }]
    expect(await read(db, one)).toEqual([...found, { value: 3, word: 'one' }])
    const other = { from: { first: 7 }, word: 'other', isLoud: false, ids: [6, 7] }
    expect(await read(db, other)).toEqual([{ value: 7, word: 'other' }])
    expect(built).toBe(1)
  })

  test('is another statement where a value is missing or a boolean differs', async () => {
    const all = { from: undefined, word: 'all', isLoud: false, ids: [1] }
    expect(await read(db, all)).toEqual([{ value: 1, word: 'all' }])
    expect(await read(db, { ...all, isLoud: true })).toEqual([{ value: 1, word: 'ALL' }])
    expect(built).toBe(3)
  })
})
