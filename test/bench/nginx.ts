import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../support/free-port.ts'
import { readCpuSeconds, waitForAnswer } from './server-child.ts'

export type Nginx = NonNullable<Awaited<ReturnType<typeof startNginx>>>

/** The version of the machine's nginx; undefined when it is not installed. */
export function findNginx(): string | undefined {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  return error ? undefined : /nginx\/(\S+)/.exec(stderr)?.[1]
}

type NginxOptions = {
  /** Served from `/`, unless a site is behind. */
  folder: string
  workFolder: string
  /** Where requests go. */
  site?: { port: number }
  /** Where the site's X-Accel-Redirect leads, as docs/run.md says. */
  accel?: { at: string; folder: string }
}

/** nginx on loopback, one process; undefined when it is not installed. */
export async function startNginx(options: NginxOptions) {
  if (!findNginx()) return undefined
  const port = await findFreePort()
  const prefix = await mkdtemp(join(options.workFolder, 'nginx-'))
  const configuration = join(prefix, 'nginx.conf')
  await writeFile(configuration, configure({ ...options, port, prefix }))
  const child = spawn('nginx', ['-p', prefix, '-c', configuration, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const kill = () => child.kill('SIGTERM')
  process.once('exit', kill)
  await waitForAnswer(child, `http://127.0.0.1:${port}/`)
  return {
    port,
    cpuSeconds: () => readCpuSeconds(child.pid),
    async stop(): Promise<void> {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

function configure(options: NginxOptions & { port: number; prefix: string }): string {
  const { port, prefix, folder, site, accel } = options
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(prefix, name)};`)
    .join(' ')
  const proxied = `proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;`
  return `daemon off; master_process off; pid ${join(prefix, 'pid')};
    events {}
    http {
      access_log off; sendfile on; tcp_nopush on; ${temporary}
      types { video/mp4 mp4; }
      ${site ? `upstream site { server 127.0.0.1:${site.port}; keepalive 64; }` : ''}
      server {
        listen 127.0.0.1:${port};
        location / { ${site ? proxied : `root ${folder};`} }
        ${accel ? `location ${accel.at}/ { internal; alias ${accel.folder}/; }` : ''}
      }
    }`
}
