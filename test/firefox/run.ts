/** `npm run test:firefox`: the tests of this folder with the installed Firefox; without one a sentence, and no failure. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findFirefox } from './support/find-firefox.ts'

const firefox = findFirefox()
if (firefox === undefined) {
  console.log('There is no Firefox on this machine (FIREFOX can name one): nothing was tested.')
} else {
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const { status } = spawnSync('vitest', ['run', '--config', config, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}
