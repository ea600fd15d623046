import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ONLY_IN_FOLDER, QUICK_ON_STORE } from '#test/support/store-selection.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFile(join(ROOT, file), 'utf8')

test.each(Object.entries(ONLY_IN_FOLDER))(
  'what is left to the folder of %s is a test of it',
  async (file, reasons) => {
    const text = await read(file)
    const names = typeof reasons === 'string' ? [] : Object.keys(reasons)
    expect(names.filter((name) => !text.includes(`'${name}`))).toEqual([])
  },
)

test.each(QUICK_ON_STORE)('%s runs on a store too', async (file) => {
  expect(await read(file)).toMatch(/(openTestSite|setUpTestSite)\(/)
  expect(ONLY_IN_FOLDER[file]).not.toBeTypeOf('string')
})
