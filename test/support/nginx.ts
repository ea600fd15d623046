import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'run.md')

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined
}

/** nginx with the configuration that docs/run.md recommends, in front of a site. */
export async function startNginx(site: { port: number; port80: number; mediaFolder: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-nginx-'))
  await chmod(folder, 0o755)
  const configuration = join(folder, 'nginx.conf')
  await writeFile(configuration, await configure({ ...site, folder }))
  const options = ['-p', folder, '-c', configuration, '-e', 'stderr']
  const child = spawn('nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', (data) => said.push(String(data)))
  const origin = `http://127.0.0.1:${site.port80}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said.join(''))
    return fetch(`${origin}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  })
  return {
    origin,
    async stop(): Promise<void> {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

async function configure(site: {
  port: number
  port80: number
  mediaFolder: string
  folder: string
}): Promise<string> {
  const { port, port80, mediaFolder, folder } = site
  const text = await readFile(DOCUMENT, 'utf8')
  const documented = /```nginx\n([^`]*)```/.exec(text)?.[1] ?? ''
  const server = documented
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('listen 80;', `listen 127.0.0.1:${port80};`)
    .replace('/srv/clutch/data/media', mediaFolder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  return `daemon off; master_process off; pid ${join(folder, 'pid')};
    events {}
    http { access_log off; types { video/mp4 mp4; } ${temporary} ${server} }`
}
