import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from './deployed-proxy.ts'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** A proxy that asks servers at ports of this machine in turn, and the next one where one takes no connection: nginx if it is installed. */
export function startRoundRobin(ports: number[]) {
  return isInstalled('nginx', '-v') ? startNginx(ports) : startOwn(ports)
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

async function startOwn(ports: number[]) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, tries: number): void {
    const { url: path, method } = incoming
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress }
    const asking = request(
      { agent, port: ports[turn++ % ports.length], path, method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    asking.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) pass(incoming, outgoing, tries - 1)
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => asking.destroy())
    asking.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => incoming.pipe(asking))
      else incoming.pipe(asking)
    })
  }

  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, ports.length))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      agent.destroy()
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
    },
  }
}
