import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LONG_FILES } from '#test/support/long-selection.ts'
import type { TorturePart } from '../part.ts'
import { ROOT, runTests } from '../support/run-tests.ts'

export const part: TorturePart = {
  name: 'long-forms',
  description: 'the tests that try a few cases each time, with all that they know',
  async run({ folder }) {
    const files = await listLongForms()
    const { tests, failures } = await runTests({ folder, args: files, env: { LONG_FORM: '1' } })
    return {
      figures: [
        { what: 'files of tests', value: files.length },
        { what: 'tests', value: tests },
      ],
      failures,
    }
  },
}

/** Those that know of a long form, or that `npm test` leaves out. */
async function listLongForms(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/{unit,api,browser}/**/*.test.ts', { cwd: ROOT }))
  const sources = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))
  const isLong = (file: string, index: number) =>
    LONG_FILES.includes(file) || sources[index]?.includes('/support/long-form.ts')
  return files.filter(isLong).sort()
}
