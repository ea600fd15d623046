import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const HTTP_CLIENT = 'NativeModule internal/deps/undici/undici'
const SCRIPT = `
  await import('./src/server/app.ts')
  console.log(process.moduleLoadList.filter((name) => /deps\\/undici/.test(name)).join())
  console.log(typeof fetch('data:,') === 'object' && process.moduleLoadList.includes('${HTTP_CLIENT}'))
`

test("a server at rest has no HTTP client of Node's in memory", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', SCRIPT],
    { cwd: ROOT },
  )
  // The second line: it would be seen.
  expect(stdout.split('\n')).toEqual(['', 'true', ''])
})
