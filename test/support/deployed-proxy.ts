import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { findFreePort } from './free-port.ts'
import { until } from './until.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')
/** The name in the files of deploy/. */
const EXAMPLE = 'clips.example.org'
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export type DeployedProxy = Awaited<ReturnType<typeof startNginx>>
/** `host` is the name that the proxy has a certificate for. */
type Site = {
  port: number
  dataFolder: string
  host?: string
  /** Origin of a remote store. */
  storeOrigin?: string
}

type Ports = { https: number; http: number }

export const hasNginx = isInstalled('nginx', '-v') && isInstalled('openssl', 'version')
export const hasCaddy = isInstalled('caddy', 'version')

/** Whether a program can be called here. */
export function isInstalled(program: string, word: string): boolean {
  return spawnSync(program, [word], { stdio: 'ignore' }).error === undefined
}

/** Lets this process believe what `ca` signed, and nobody else. @returns what puts that back */
export function trustOnly(ca: string): () => void {
  const usual = getCACertificates('default')
  setDefaultCACertificates([ca])
  return () => setDefaultCACertificates(usual)
}

/** nginx with deploy/nginx.conf, or nginx-store.conf, to the letter but for ports, certificate and folder. */
export async function startNginx({ port, dataFolder, host = EXAMPLE, storeOrigin }: Site) {
  const folder = await makeFolder()
  const certificate = makeCertificate(folder, host)
  const ports = { https: await findFreePort(), http: await findFreePort() }
  const name = storeOrigin ? 'nginx-store.conf' : 'nginx.conf'
  const sites = (await readFile(join(DEPLOY, name), 'utf8'))
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate.path};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${certificate.key};`)
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${port}`)
    .replace('/srv/clutch/data', dataFolder)
    .replace('/var/cache/nginx/clutch', join(folder, 'cache'))
    .replace('https://s3.example.org', storeOrigin ?? '')
    .replace('s3.example.org;', `${storeOrigin && new URL(storeOrigin).host};`)
  const ca = await readFile(certificate.path, 'utf8')
  return runNginx({ folder, ports, ca, http: `types { video/mp4 mp4; } ${sites}` })
}

/** nginx before servers at ports of this machine, which it asks in turn. */
export async function startNginxOfNodes(ports: number[]) {
  const folder = await makeFolder()
  const port = await findFreePort()
  const servers = ports.map((at) => `server 127.0.0.1:${at} max_fails=0;`).join(' ')
  const http = `client_max_body_size 0;
    upstream site { ${servers} keepalive 16; }
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://site; proxy_http_version 1.1; proxy_buffering off;
        proxy_set_header Connection ""; proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
      }
    }`
  return runNginx({ folder, ports: { http: port, https: 0 }, ca: '', http })
}

async function runNginx(input: { folder: string; ports: Ports; ca: string; http: string }) {
  const { folder, ports, ca, http } = input
  const temporary = TEMPORARY.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; master_process off; pid ${join(folder, 'pid')};
    events {}
    http { access_log off; ${temporary} ${http} }`,
  )
  const words = ['-p', folder, '-c', configuration, '-e', 'stderr']
  return run({ program: 'nginx', words, folder, ports, ca: async () => ca })
}

/** Caddy with deploy/Caddyfile, to the letter but for ports and who signs its certificate. */
export function startCaddy({ port, host = EXAMPLE }: Site) {
  return runCaddy('Caddyfile', { CLUTCH_DOMAIN: host, CLUTCH_UPSTREAM: `127.0.0.1:${port}` })
}

/** The same with deploy/Caddyfile.cluster, before two nodes of this machine; it is `localhost`. */
export function startCaddyOfNodes([one, two]: [number, number]) {
  return runCaddy('Caddyfile.cluster', {
    CLUTCH_DOMAIN: 'localhost',
    CLUTCH_NODE_1: `127.0.0.1:${one}`,
    CLUTCH_NODE_2: `127.0.0.1:${two}`,
  })
}

async function runCaddy(name: string, environment: Record<string, string>) {
  const folder = await makeFolder()
  const ports = { https: await findFreePort(), http: await findFreePort() }
  const options = `admin off
    local_certs
    skip_install_trust
    default_bind 127.0.0.1
    http_port ${ports.http}
    https_port ${ports.https}
    storage file_system ${folder}`
  const configuration = join(folder, 'Caddyfile')
  const site = await readFile(join(DEPLOY, name), 'utf8')
  await writeFile(configuration, `{\n${options}\n}\n${site}`)
  return run({
    ...{ program: 'caddy', folder, ports },
    words: ['run', '--config', configuration, '--adapter', 'caddyfile'],
    environment: { ...environment, HOME: folder },
    ca: () => readFile(join(folder, 'pki', 'authorities', 'local', 'root.crt'), 'utf8'),
  })
}

async function run(input: {
  program: string
  words: string[]
  folder: string
  ports: Ports
  environment?: Record<string, string>
  ca: () => Promise<string>
}) {
  const { program, words, folder, ports, environment } = input
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (data) => said.push(String(data)))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const answers = async () => {
    await fetch(`http://127.0.0.1:${ports.http}/`, { redirect: 'manual' })
    await input.ca()
    return true
  }
  await until(() => {
    if (child.exitCode !== null) throw new Error(said.join(''))
    return answers().catch(() => false)
  })
  return {
    name: program,
    ports,
    /** Signed its certificate, or is it. */
    ca: await input.ca(),
    async stop(): Promise<void> {
      process.off('exit', kill)
      const exited = once(child, 'exit')
      if (child.kill('SIGTERM')) await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-proxy-'))
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'client_body'))
  return folder
}

/** Signed by itself. */
export function makeCertificate(folder: string, host: string): { path: string; key: string } {
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const words = ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', path]
  execFileSync('openssl', words, { stdio: 'ignore' })
  return { path, key }
}
