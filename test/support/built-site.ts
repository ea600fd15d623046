/** Before the browser tests: the client is built and the browser unpacked, once for all files. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unpackChromium } from './chromium.ts'

export async function setup(): Promise<void> {
  const command = join(
    import.meta.dirname,
    '..',
    '..',
    'src',
    'server',
    'command',
    'build-client.ts',
  )
  await promisify(execFile)(process.execPath, [command])
  await unpackChromium()
}
