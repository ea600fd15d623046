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
  /** HTTP/2 with a certificate of its own, which nobody trusts. */
  isSecure?: boolean
  /** Where the site's X-Accel-Redirect leads, as docs/run.md says. */
  accel?: { at: string; folder: string }
}

/** nginx on loopback, one process; undefined when it is not installed. */
export async function startNginx(options: NginxOptions) {
  if (!findNginx()) return undefined
  const port = await findFreePort()
  const prefix = await mkdtemp(join(options.workFolder, 'nginx-'))
  if (options.isSecure) makeCertificate(prefix)
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

const certificateIn = (folder: string) => ({
  certificate: join(folder, 'certificate.pem'),
  key: join(folder, 'key.pem'),
})

function makeCertificate(folder: string): void {
  const { certificate, key } = certificateIn(folder)
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', certificate]
  const all = ['req', '-x509', ...kind, ...files, '-days', '1', '-subj', '/CN=localhost']
  const { status, stderr } = spawnSync('openssl', all, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
}

function configure(options: NginxOptions & { port: number; prefix: string }): string {
  const { port, prefix, folder, site, accel, isSecure } = options
  const { certificate, key } = certificateIn(prefix)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(prefix, name)};`)
    .join(' ')
  const proxied = `proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; proxy_buffering off;
    ${isSecure ? 'proxy_set_header X-Forwarded-Proto https;' : ''}`
  return `daemon off; master_process off; pid ${join(prefix, 'pid')};
    events {}
    http {
      access_log off; sendfile on; tcp_nopush on; ${temporary}
      types { video/mp4 mp4; }
      ${site ? `upstream site { server 127.0.0.1:${site.port}; keepalive 64; }` : ''}
      server {
        listen 127.0.0.1:${port}${isSecure ? ` ssl http2 sndbuf=128k; ssl_certificate ${certificate}; ssl_certificate_key ${key}` : ''};
        location / { ${site ? proxied : `root ${folder};`} }
        ${accel ? `location ${accel.at}/ { internal; alias ${accel.folder}/; }` : ''}
      }
    }`
}
