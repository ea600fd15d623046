import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of `names` that is in PATH, else of `elsewhere`. */
export function findProgram(names: string[], elsewhere: string[] = []): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return [...named, ...elsewhere].find((path) => existsSync(path))
}

/**
 * Runs the test files of `folder`, those that the command line names or all, by the folder's own `vitest.config.ts`. Without
 * `program` it says `absence` and fails nothing.
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
