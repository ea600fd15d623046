import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Finds the first of `names` in PATH, or else the first path of `elsewhere` that exists. */
export function findProgram(names: string[], elsewhere: string[] = []): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...named, ...elsewhere].find((path) => existsSync(path))
}

/**
 * Runs all test files of `folder`, or those that the command line names, with the folder's own `vitest.config.ts`. Without
 * `program` it logs `absence` and does not fail.
 */
export function runTestsOf(
  folder: string,
  { program, absence }: { program: string | undefined; absence: string },
): void {
  if (program === undefined) {
    console.log(`${absence}: nothing was tested.`)
    return
  }
  const config = join(folder, 'vitest.config.ts')
  const { status } = spawnSync('vitest', ['run', '--config', config, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
