import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const COMMANDS = join(import.meta.dirname, '..', '..', 'src', 'server', 'command')

/** Builds the client once for all test files. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(COMMANDS, 'build-client.ts')])
}
