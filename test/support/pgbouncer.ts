import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from './deployed-proxy.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

export const hasPgbouncer = isInstalled('pgbouncer', '--version')

/**
 * PgBouncer in front of a database, which gives each transaction a connection of its own, as those of hosts do.
 * @returns the address of the same database through it
 */
export async function startPgbouncer(
  url: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port: serverPort, username, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'clutch-pgbouncer-'))
  await chmod(folder, 0o777)
  const port = await findFreePort()
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_client_conn = 200
`,
  )
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = spawn('pgbouncer', [...as, '--quiet', settings], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const isThere = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
  await until(isThere)
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
