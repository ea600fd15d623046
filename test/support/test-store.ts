/**
 * `npm run test:store [-- FILE…]`: the api and browser tests with the media of their sites on an S3 server. What is left
 * to the folder is named first, with the reason.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ONLY_IN_FOLDER } from './store-selection.ts'

const VITEST = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs')

for (const [file, reasons] of Object.entries(ONLY_IN_FOLDER)) {
  const named = typeof reasons === 'string' ? { all: reasons } : reasons
  for (const [name, reason] of Object.entries(named)) {
    process.stdout.write(`Only in a folder: ${file}, ${name}: ${reason}\n`)
  }
}
const projects = ['--project', 'api', '--project', 'browser']
spawn(process.execPath, [VITEST, 'run', ...projects, ...process.argv.slice(2)], {
  env: { ...process.env, TEST_MEDIA_STORE: 's3' },
  stdio: 'inherit',
}).on('exit', (code) => {
  process.exitCode = code ?? 1
})
