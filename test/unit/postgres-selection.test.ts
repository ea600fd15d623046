import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG_FILES } from '#test/support/long-selection.ts'
import { ONLY_ON_SQLITE, QUICK_ON_POSTGRES } from '#test/support/postgres-selection.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('what runs on PostgreSQL, on SQLite alone or in the long form is named by files that there are', () => {
  const named = [...QUICK_ON_POSTGRES, ...ONLY_ON_SQLITE, ...LONG_FILES]
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  expect(QUICK_ON_POSTGRES.filter((file) => ONLY_ON_SQLITE.includes(file))).toEqual([])
})
