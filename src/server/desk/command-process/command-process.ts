import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AppDeps } from '#server/platform/deps.ts'
import { mediaEnvironment } from '#server/platform/media-config.ts'
import { offsiteEnvironment } from '#server/platform/offsite-config.ts'

const COMMANDS = join(import.meta.dirname, '..', '..', 'command')
const MESSAGE_MAX = 500

export class CommandFailedError extends Error {}

/**
 * In a child, to not block the server; killed at shutdown.
 * @param input.onLine of output
 * @returns exit code: 0 or one of `input.expected`
 * @throws CommandFailedError with its last output
 */
export async function runCommandProcess(
  { config, closing }: Pick<AppDeps, 'config' | 'closing'>,
  input: {
    command: 'backup' | 'send-backup' | 'restore-drill' | 'doctor' | 'import'
    words: string[]
    /** Written to its standard input, as other users of the machine can read arguments. */
    secret?: string
    /** Further variables of its environment. */
    environment?: Record<string, string>
    expected?: number[]
    onLine?: (line: string) => void
  },
): Promise<number> {
  const { command, words, secret, environment, expected = [], onLine } = input
  const script = join(COMMANDS, `${command}.ts`)
  const child = spawn(process.execPath, [script, ...words], {
    env: {
      DATA_DIR: config.dataFolder,
      ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
      ...(config.databaseDirectUrl !== undefined && {
        DATABASE_DIRECT_URL: config.databaseDirectUrl,
      }),
      ...offsiteEnvironment(config.offsite),
      ...mediaEnvironment(config.media),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal: closing,
    killSignal: 'SIGKILL',
  })
  // The process may have ended.
  child.stdin.on('error', () => {})
  child.stdin.end(secret)
  let complaint = ''
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = `${complaint}${bytes}`.slice(-MESSAGE_MAX)
  })
  createInterface({ input: child.stdout }).on('line', (line) => onLine?.(line))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).catch((error: Error) => {
    if (error.name === 'AbortError') return null
    throw error
  })
  if (code !== null && (code === 0 || expected.includes(code))) return code
  const stopped = closing.aborted ? 'The server was stopped meanwhile.' : 'The work was ended.'
  throw new CommandFailedError(complaint.trim() || stopped)
}
