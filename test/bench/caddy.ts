import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../support/free-port.ts'
import { waitForAnswer } from './server-child.ts'

const CADDYFILE = join(import.meta.dirname, '..', '..', 'deploy', 'Caddyfile')

/**
 * Starts Caddy with `deploy/Caddyfile` and a self-signed certificate. Returns undefined when Caddy
 * is not installed.
 */
export async function startCaddy(options: { workFolder: string; site: { port: number } }) {
  if (spawnSync('caddy', ['version']).error) return undefined
  const port = await findFreePort()
  const prefix = await mkdtemp(join(options.workFolder, 'caddy-'))
  const configuration = join(prefix, 'Caddyfile')
  await writeFile(
    configuration,
    `{
      admin off
      auto_https disable_redirects
      skip_install_trust
      storage file_system ${prefix}
      log default {
        level ERROR
      }
    }
    import ${CADDYFILE}
    `,
  )
  const child = spawn('caddy', ['run', '--config', configuration, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...{ HOME: prefix, CLUTCH_DOMAIN: `localhost:${port}` },
      CLUTCH_UPSTREAM: `127.0.0.1:${options.site.port}`,
    },
  })
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  await waitForAnswer(child, `http://127.0.0.1:${port}/`)
  return {
    port,
    async stop(): Promise<void> {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
