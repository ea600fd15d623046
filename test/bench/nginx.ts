import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from './server-child.ts'

const START_MS = 500

/** The version of the machine's nginx; undefined when it is not installed. */
export function findNginx(): string | undefined {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return error ? undefined : /nginx\/(\S+)/.exec(stderr)?.[1]
}

/** nginx serving a folder on loopback; undefined when it is not installed. */
export async function startNginx(input: { folder: string; workFolder: string }) {
  if (!findNginx()) return undefined
  const port = await findFreePort()
  const prefix = join(input.workFolder, 'nginx')
  await mkdir(prefix)
  // Started by root it would read the folder as another user, who may not.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(prefix, name)};`)
    .join(' ')
  const configuration = join(prefix, 'nginx.conf')
  await writeFile(
    configuration,
    `${user} daemon off; worker_processes 1; pid ${join(prefix, 'pid')}; error_log stderr;
    events {}
    http { access_log off; sendfile on; ${temporary}
      server { listen 127.0.0.1:${port}; root ${input.folder}; } }`,
  )
  const child = spawn('nginx', ['-p', prefix, '-c', configuration], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  await pause(START_MS)
  return {
    port,
    async stop(): Promise<void> {
      process.off('exit', kill)
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
