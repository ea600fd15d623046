import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../../support/child-environment.ts'
import type { TorturePart } from '../part.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

type Report = {
  numTotalTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

export const part: TorturePart = {
  name: 'long-forms',
  description: 'the tests that try a few cases each time, with all that they know',
  async run({ folder }) {
    const files = await listLongForms()
    const reportFile = join(folder, 'report.json')
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${reportFile}`]
    const child = spawn(process.execPath, [VITEST, 'run', ...reporters, ...files], {
      cwd: ROOT,
      env: { ...childEnvironment, LONG_FORM: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(child, 'exit')
    const { numTotalTests, testResults } = JSON.parse(await readFile(reportFile, 'utf8')) as Report
    const failures = testResults.flatMap(({ name, message, assertionResults }) => [
      ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`),
    ])
    return {
      figures: [
        { what: 'files of tests', value: files.length },
        { what: 'tests', value: numTotalTests },
      ],
      failures,
    }
  },
}

/** Those that know of a long form. */
async function listLongForms(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/{unit,api,browser}/**/*.test.ts', { cwd: ROOT }))
  const sources = await Promise.all(files.map((file) => readFile(join(ROOT, file), 'utf8')))
  return files.filter((_, index) => sources[index]?.includes('/support/long-form.ts')).sort()
}
