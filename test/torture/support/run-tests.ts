import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '#test/support/child-environment.ts'

export const ROOT = join(import.meta.dirname, '..', '..', '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

type Report = {
  numTotalTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** Runs tests in a process of their own. @param input.folder for their report @returns how many there are, and those that failed */
export async function runTests(input: {
  folder: string
  args: string[]
  env?: Record<string, string>
}): Promise<{ tests: number; failures: string[] }> {
  const reportFile = join(input.folder, 'report.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${reportFile}`]
  const child = spawn(process.execPath, [VITEST, 'run', ...reporters, ...input.args], {
    cwd: ROOT,
    env: { ...childEnvironment, ...input.env },
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
  return { tests: numTotalTests, failures }
}
