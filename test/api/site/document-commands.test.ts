import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childEnvironment } from '#test/support/child-environment.ts'
import { makeClip } from '#test/support/clips.ts'
import { mediaVariables } from '#test/support/media-variables.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/**
 * Groups: the language, the rest of the line ('run' for blocks that are executed here), and the lines of the block.
 */
const BLOCK = /^[ \t]*```(\w+)([^\n]*)\n([\s\S]*?)^[ \t]*```/gm
const SHELLS = ['sh', 'bash', 'shell', 'console', 'powershell']

/** Blocks that are not executed: the first line of each, with the reason. */
const NOT_TRIED: Record<string, string> = {
  'curl -O https://clips.example.org/get/clutch.mjs':
    'its second command waits for somebody; test/api/site/uploader.test.ts runs all of them',
  'npm run import -- fireshare /srv/fireshare/data --videos /srv/fireshare/videos --owner ann --dry-run':
    'it needs a library of Fireshare; test/api/desk/import-fireshare.test.ts makes one',
  'npm run import -- peertube /srv/peertube/ann.zip --owner ann --dry-run':
    'it needs an archive of PeerTube; test/api/desk/import-peertube.test.ts makes one',
  'INBOX=/srv/clips:/mnt/nas/recordings npm start':
    'test/api/video/inbox-kill.test.ts starts a site with an inbox',
  'npm run import -- address https://files.example.org/replay.mp4 --owner ann --title "Ace on the roof"':
    'it needs another server; test/api/desk/import-address.test.ts starts one',
  'install -m 600 /dev/null /srv/mediacms-token': 'it prepares the next one',
  'npm run import -- mediacms https://media.example.org --token-file /srv/mediacms-token --owner ann --dry-run':
    'it needs a MediaCMS; test/api/desk/import-mediacms.test.ts starts one',
  'npm run import -- medal /srv/medal --owner ann --dry-run':
    'it needs clips of Medal; test/api/desk/import-medal.test.ts makes them',
  'npm run import -- yt-dlp https://videos.example.org/watch?v=one --owner ann':
    'it needs yt-dlp; test/api/desk/import-yt-dlp.test.ts has a program with its calls',
  'npm run import -- steam /srv/gamerecordings/clips --owner ann --dry-run':
    'it needs a recording of Steam; test/api/desk/import-steam.test.ts makes one',
  'npm ci && npm start':
    'it would install over the running tests; the server that it starts is that of every test with startServer',
  'npm ci && npm test': 'it would install over the running tests, of which this is one',
  'npm ci && npm run demo':
    'test/browser/site/demo.test.ts: the demo shows clips that play, lets its admin in, and leaves nothing',
  'npm run restore -- s3://bucket/prefix':
    'test/api/desk/offsite-backups.test.ts restores from an S3 server by this command',
  'npm run move-media -- folder s3://bucket/prefix':
    'test/api/desk/move-media.test.ts moves a site into an S3 server and back by this command',
  'npm run move-media -- s3://bucket/prefix folder':
    'test/api/desk/move-media.test.ts moves a site into an S3 server and back by this command',
  'npm run backup -- /srv/backups/before-the-move':
    'it needs PostgreSQL; test/api/desk/move-database.test.ts moves sites there by this command',
  'npm run move-database -- postgres://clutch:password@host/clutch /srv/clutch/back':
    'it needs PostgreSQL; test/api/desk/move-database.test.ts moves sites back by this command',
  'pg_dump --format=custom --no-owner --file=clutch.dump "$DATABASE_URL"':
    'it needs PostgreSQL and its tools; test/api/desk/postgres-commands.test.ts runs it where they are installed',
  'pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" clutch.dump':
    'it needs PostgreSQL and its tools; test/api/desk/postgres-commands.test.ts runs it where they are installed',
  'psql --file=deploy/postgres-restored.sql "$DATABASE_URL"':
    'it needs PostgreSQL and its tools; test/api/desk/postgres-commands.test.ts runs it where they are installed',
  'npm run doctor':
    'as above: test/api/desk/postgres-commands.test.ts runs it on what was restored',
  'npm run backup -- /srv/backups/whole --with-media':
    'test/api/desk/backup-elsewhere.test.ts backs up a site whose media are in an S3 server',
  "npm run doctor                   # files without a row are 'orphaned'":
    'it needs a store that two sites use; test/api/desk/store-owner.test.ts claims one by this command',
  'git pull && npm ci && npm start':
    'it would change the checkout; the update itself is tried in test/api/platform/schema.test.ts',
  'git pull && docker compose up -d --build':
    'it needs Docker and would change the checkout; test/unit/container.test.ts compares what the image is made of',
  'git pull && npm ci && npm run build && sudo systemctl restart clutch':
    'it would change the checkout and a service of the machine',
  'docker compose up -d':
    'it needs Docker; test/unit/container.test.ts compares what the image is made of',
  'cp deploy/cluster.env .env && chmod 600 .env':
    'it needs Docker; test/unit/container.test.ts reads what the nodes are told',
  'docker compose -f compose.cluster.yaml --profile workers up -d':
    'it needs Docker; test/api/video/workers.test.ts starts workers',
  'git pull && docker compose -f compose.cluster.yaml build':
    'it needs Docker; test/api/nodes/rolling-restart.test.ts restarts nodes behind the same proxy',
  'docker compose run --rm clutch restore s3://bucket/prefix':
    'it needs Docker; test/api/desk/offsite-backups.test.ts runs the same command without a container',
  '$clip = Get-ChildItem "$HOME\\Videos" -File | Sort-Object LastWriteTime | Select-Object -Last 1':
    'it is for Windows; the form that it sends is sent by curl in the block above it, which is run',
  'npm run reset-password -- ann --all-ways':
    'it would end the tokens that other blocks use; test/api/site/commands.test.ts runs this command',
  'npm run release -- minor --dry-run':
    'it would tag this checkout; test/api/desk/release.test.ts cuts releases in a repository of its own',
  'npm ci          # also brings Node 26, which the npm scripts use':
    'these install, serve until stopped, or are the tests themselves',
  'HOST=127.0.0.1 PUBLIC_URL=https://clips.example.org TRUSTED_PROXY=127.0.0.1 npm start':
    'it serves until stopped; test/api/platform/proxy.test.ts tries what these settings do',
  'npm ci':
    'it would install over the running tests, and works until stopped; test/api/video/workers.test.ts starts workers',
  'npm run bench                     # the subjects below but for the long ones; a quarter of an hour':
    'it takes minutes',
  'npm run bench -- --only nodes': 'it takes minutes',
  'npm run torture -- --only kill': 'it takes an hour; its short form is part of npm test',
}

type Block = { document: string; isRun: boolean; text: string; firstLine: string }

const METRICS_TOKEN = 'a-token-for-prometheus'

const blocks = await readBlocks()
const base = setUpFolder('documents')
let server: ServerProcess
let tokens: Record<string, string>

beforeAll(async () => {
  server = await startServer({ env: { METRICS_TOKEN } })
  await makeClip({ path: join(base, 'replay.mp4'), seconds: 1 })
  const password = 'correct horse'
  const account = { username: 'ann', email: 'ann@example.org', displayName: 'Ann', password }
  const registered = await post('/api/register', account)
  const name = '/trpc/settings.confirmPassword'
  const { cookie } = await post(name, { password }, registered.cookie)
  const makeToken = async (scope: 'upload' | 'read') => {
    const made = await post('/trpc/apiToken.create', { name: scope, scope, days: null }, cookie)
    return made.body.result.data.token as string
  }
  const [TOKEN, READ_TOKEN] = [await makeToken('upload'), await makeToken('read')]
  tokens = { TOKEN, READ_TOKEN, METRICS_TOKEN }
})
afterAll(() => server.remove())

async function post(path: string, body: object, cookie = '') {
  const answer = await fetch(server.origin + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return {
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    body: await answer.json(),
  }
}

test('every block of commands in a document is run here, or listed with the reason why not', () => {
  const listed = (block: Block) => block.firstLine in NOT_TRIED
  const missing = blocks.filter((block) => !block.isRun && !listed(block))
  expect(missing.map(({ document, firstLine }) => `${document}: ${firstLine}`)).toEqual([])
  const shown = new Set(blocks.filter(({ isRun }) => !isRun).map(({ firstLine }) => firstLine))
  expect(Object.keys(NOT_TRIED).filter((firstLine) => !shown.has(firstLine))).toEqual([])
})

test.each(blocks.filter(({ isRun }) => isRun))('$document: $firstLine', async ({ text }) => {
  const { code, output } = await runShell(placed(text))
  expect(code, output).toBe(0)
})

/** The names that documents give to things, as they are here. */
function placed(text: string): string {
  return text
    .replaceAll('https://clips.example.org', server.origin)
    .replaceAll(/\/(?:srv|tmp)\//g, `${base}/`)
    .replaceAll('@replay.mp4', `@${join(base, 'replay.mp4')}`)
}

async function runShell(script: string): Promise<{ code: number; output: string }> {
  const env = {
    ...childEnvironment,
    ...(await mediaVariables(server.dataFolder)),
    ...{ DATA_DIR: server.dataFolder, HOME: base, ...tokens },
    npm_config_update_notifier: 'false',
  }
  return new Promise((resolve) => {
    const child = execFile('sh', ['-ec', script], { cwd: ROOT, env }, (_, out, err) =>
      resolve({ code: child.exitCode ?? 1, output: out + err }),
    )
  })
}

/** In the order in which somebody reads them. */
async function readBlocks(): Promise<Block[]> {
  const found: Block[] = []
  const documents = ['README.md', 'CONTRIBUTING.md']
  for await (const path of glob('docs/**/*.md', { cwd: ROOT })) documents.push(path)
  for (const document of documents.sort()) {
    const content = await readFile(join(ROOT, document), 'utf8')
    for (const [, language = '', info = '', text = ''] of content.matchAll(BLOCK)) {
      if (!SHELLS.includes(language)) continue
      const firstLine = text.trim().split('\n')[0] ?? ''
      found.push({ document, isRun: info.trim() === 'run', text, firstLine })
    }
  }
  return found
}
