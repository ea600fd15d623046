import { spawn } from 'node:child_process'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { formatBytes } from '#shared/text/format.ts'
import { oneLine } from './describe-video.ts'
import type { OnFetched } from './foreign-library.ts'

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024
const STDERR_MAX = 8192
const SENTENCE_MAX = 300
const SIZE_CHECK_MS = 500
/** yt-dlp downloads picture and sound and then writes both into a third file. */
const COPIES_MAX = 2
const FOLDERS_OF_PROGRAMS = '/usr/local/bin:/usr/bin:/bin'

/** Turns off settings, plugins, cookies and commands of the machine, and addresses that only the generic extractor accepts. */
const FIXED = [
  ...['--ignore-config', '--no-exec', '--no-cache-dir', '--no-mark-watched', '--no-cookies'],
  ...['--no-cookies-from-browser', '--no-playlist', '--use-extractors', 'default,-generic'],
  ...['--socket-timeout', '30', '--retries', '5', '--no-warnings'],
]

type Run = {
  program: string
  url: string
  /** Working folder and home of the program. */
  folder: string
  /** Maximum size of the file. */
  maxBytes: number
  timeoutMs: number
  onFetched?: OnFetched | undefined
}

/**
 * Asks for the description of a video.
 * @returns JSON
 * @throws AppError
 */
export function describeWithYtDlp(run: Run): Promise<string> {
  return runYtDlp(run, ['--skip-download', '--dump-single-json'])
}

/**
 * Downloads a video into the folder.
 * @returns the path of the file
 * @throws AppError
 */
export async function downloadWithYtDlp(run: Run): Promise<string> {
  const { folder, maxBytes } = run
  // The lines of progress end the program once nobody reads them.
  const output = ['--newline', '--progress', '--max-filesize', `${maxBytes}`]
  await runYtDlp(run, [...output, '--paths', folder, '--output', 'video.%(ext)s'])
  const names = (await readdir(folder)).filter((name) => /^video\.\w{2,5}$/.test(name))
  const [name, other] = names
  if (name === undefined) throw tooLarge(maxBytes)
  if (other !== undefined) {
    const sentence = 'Its picture and sound are separate. Install FFmpeg for yt-dlp.'
    throw new AppError('unprocessable', sentence)
  }
  return join(folder, name)
}

const tooLarge = (maxBytes: number) =>
  new AppError('too-large', `The file is larger than ${formatBytes(maxBytes)}.`)

function runYtDlp(run: Run, words: readonly string[]): Promise<string> {
  const { program, url, folder, maxBytes, timeoutMs, onFetched } = run
  const child = spawn(program, [...FIXED, ...words, '--', url], {
    cwd: folder,
    env: { PATH: FOLDERS_OF_PROGRAMS, HOME: folder, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((done, fail) => {
    const output: Buffer[] = []
    let bytes = 0
    let errors = ''
    let refusal: AppError | undefined
    const stop = (error: AppError) => {
      refusal ??= error
      child.kill('SIGKILL')
    }
    const late = () => stop(new AppError('unprocessable', 'yt-dlp takes too long.'))
    const timeout = setTimeout(late, timeoutMs)
    const sizeCheck = setInterval(async () => {
      const fetched = await countBytes(folder)
      if (fetched > COPIES_MAX * maxBytes) stop(tooLarge(maxBytes))
      onFetched?.(fetched)
    }, SIZE_CHECK_MS)
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > OUTPUT_BYTES_MAX) stop(new AppError('unprocessable', 'yt-dlp says too much.'))
      else output.push(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-STDERR_MAX)
    })
    const settle = (error: AppError | undefined) => {
      clearTimeout(timeout)
      clearInterval(sizeCheck)
      if (error) fail(error)
      else done(Buffer.concat(output).toString('utf8'))
    }
    child.on('error', () => {
      settle(new AppError('unprocessable', `${program} cannot be started.`))
    })
    child.on('close', (code) => settle(refusal ?? (code === 0 ? undefined : explain(errors))))
  })
}

function explain(errors: string): AppError {
  const lines = errors.split('\n').map(oneLine)
  const line = lines.findLast((one) => one.startsWith('ERROR:')) ?? 'ERROR: no reason'
  const reason = cutText(line.slice('ERROR:'.length).trim(), SENTENCE_MAX)
  return new AppError('unprocessable', `yt-dlp says: ${reason}`)
}

async function countBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await lstat(join(folder, name)).catch(() => undefined)
    bytes += stats?.size ?? 0
  }
  return bytes
}
