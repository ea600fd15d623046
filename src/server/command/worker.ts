/** See docs/workers.md. */
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { isLoopbackHost } from '#shared/local-host.ts'
import { readVersion } from '../desk/release/running-version.ts'
import { CommandError } from '../platform/errors.ts'
import { type JobKind, WORKER_KINDS } from '../video/job/job-kinds.ts'
import { runWorker, type WorkerOptions } from '../worker/run-worker.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from './command-line.ts'

const USAGE = `npm run worker -- https://site.example --token-file FILE
  --token TOKEN       instead of --token-file; other accounts of this machine may see it
  --jobs N            videos at a time, 1 to 16 (1)
  --kinds LIST        ${WORKER_KINDS.join(',')} (all of them)
  --max-height N      no videos whose short side is larger, such as 1080
  --idle-only         only while nothing else keeps this machine busy
  --folder DIR        for the files of jobs meanwhile (the system's folder for such)`

const JOBS_MAX = 16

await runCommand(async () => {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    const options = await readOptions()
    const { protocol, hostname, origin } = new URL(options.origin)
    if (protocol === 'http:' && !isLoopbackHost(hostname)) {
      say(`Recordings are sent without encryption, since ${origin} begins with http://.`)
    }
    await runWorker({ ...options, stopping: stopping.signal, say })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
  return 0
})

async function readOptions(): Promise<Omit<WorkerOptions, 'stopping' | 'say'>> {
  const { values, positionals } = readArguments(
    {
      token: { type: 'string' },
      'token-file': { type: 'string' },
      jobs: { type: 'string' },
      kinds: { type: 'string' },
      'max-height': { type: 'string' },
      'idle-only': { type: 'boolean' },
      folder: { type: 'string' },
    } as const,
    USAGE,
  )
  const [address = '', ...others] = positionals
  if (others.length > 0 || !/^https?:\/\//.test(address) || !URL.canParse(address)) refuse()
  const token = values.token ?? (await readToken(values['token-file']))
  const maxHeight = values['max-height']
  return {
    origin: new URL(address).origin,
    token,
    version: await readVersion(),
    places: readNumber(values.jobs ?? '1', JOBS_MAX),
    kinds: readKinds(values.kinds),
    maxHeight: maxHeight === undefined ? undefined : readNumber(maxHeight, 100_000),
    idleOnly: values['idle-only'] ?? false,
    parentFolder: resolve(values.folder ?? tmpdir()),
  }
}

async function readToken(path: string | undefined): Promise<string> {
  if (path === undefined) return refuse()
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The token cannot be read from ${path} (${error.code}).`)
  })
  return text.trim()
}

function readNumber(text: string, maximum: number): number {
  const number = Number(text)
  return Number.isInteger(number) && number >= 1 && number <= maximum ? number : refuse()
}

function readKinds(text: string | undefined): JobKind[] {
  if (text === undefined) return WORKER_KINDS
  const names = text.split(',')
  const kinds = WORKER_KINDS.filter((kind) => names.includes(kind))
  return kinds.length === names.length ? kinds : refuse()
}

function refuse(): never {
  throw new CommandError(USAGE, EXIT_WRONG_CALL)
}
