import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBalancer } from './balancer.ts'
import { isInstalled } from './deployed-proxy.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** A proxy that asks servers at ports of this machine in turn, and the next one where one takes no connection: nginx if it is installed. */
export function startRoundRobin(ports: number[]) {
  if (isInstalled('nginx', '-v')) return startNginx(ports)
  return startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
}

async function startNginx(ports: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-proxy-'))
  await mkdir(join(folder, 'client_body'))
  const port = await findFreePort()
  const temporary = TEMPORARY.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')
  const servers = ports.map((at) => `server 127.0.0.1:${at} max_fails=0;`).join(' ')
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(folder, 'pid')};
    events {}
    http {
      access_log off; ${temporary} client_max_body_size 0;
      upstream site { ${servers} keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://site; proxy_http_version 1.1; proxy_buffering off;
          proxy_set_header Connection ""; proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
        }
      }
    }`,
  )
  const words = ['-p', folder, '-c', configuration, '-e', 'stderr']
  const child = spawn('nginx', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', (data) => said.push(String(data)))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const origin = `http://127.0.0.1:${port}`
  await until(() => {
    if (child.exitCode !== null) throw new Error(said.join(''))
    return fetch(`${origin}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    origin,
    async stop(): Promise<void> {
      process.off('exit', kill)
      const exited = once(child, 'exit')
      if (child.kill('SIGTERM')) await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
