import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { parseExposition } from '#test/support/exposition.ts'
import { addRows } from '#test/support/rows.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const TOKEN = 'a-token-for-prometheus'
const ELSEWHERE = { remoteAddress: '198.51.100.7' }

let open: TestSite
let site: TestSite
let ann: TestMember
beforeAll(async () => {
  open = await openTestSite()
  site = await openTestSite({ metricsToken: TOKEN })
  ann = await site.addMember('ann-who-is-not-named')
})
afterAll(() => Promise.all([open.close(), site.close()]))

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const read = (of: TestSite, request: Parameters<TestSite['call']>[0] = {}) =>
  of.get('/metrics', request)

async function readSamples() {
  const { body } = await read(site, bearer(TOKEN))
  return parseExposition(body)
}

async function figure(name: string, labels: Record<string, string> = {}) {
  const samples = await readSamples()
  return samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value
}

type Asking = [string, Parameters<TestSite['call']>[0], number, number]
const FORWARDING_HEADERS = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['x-forwarded-port', 'x-forwarded-server', 'x-original-forwarded-for', 'x-real-ip'],
  ...['x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'cf-ray', 'fly-client-ip', 'cdn-loop'],
  ...['x-cluster-client-ip', 'fastly-client-ip', 'x-azure-clientip', 'x-arr-log-id'],
  ...['x-original-host', 'x-original-url', 'x-originating-ip', 'x-proxyuser-ip', 'x-host'],
  ...['x-varnish', 'x-scheme', 'front-end-https', 'surrogate-capability', 'x-request-start'],
]

test.each<Asking>([
  ['at the machine itself', {}, 200, 401],
  ['there with the token', bearer(TOKEN), 200, 200],
  ['over IPv6 there', { remoteAddress: '::1', headers: { host: '[::1]:3000' } }, 200, 401],
  ['over IPv4 in IPv6 there', { remoteAddress: '::ffff:127.0.0.1' }, 200, 401],
  ['from elsewhere', ELSEWHERE, 404, 401],
  ['from elsewhere for localhost', { ...ELSEWHERE, headers: { host: 'localhost' } }, 404, 401],
  ['there for another host', { headers: { host: 'clips.example.org' } }, 404, 401],
  ['with the token', { ...ELSEWHERE, ...bearer(TOKEN) }, 404, 200],
  ['with another', { ...ELSEWHERE, ...bearer(`${TOKEN}s`) }, 404, 401],
  ['with none', { ...ELSEWHERE, ...bearer('') }, 404, 401],
  ...FORWARDING_HEADERS.map(
    (name): Asking => [
      `there with ${name}`,
      { headers: { [name]: '127.0.0.1' } },
      ...([404, 401] as const),
    ],
  ),
])('who asks %s is answered %o: %d without a token, %d where there is one', async (...row) => {
  const [, request, without, withOne] = row
  const answers = [await read(open, request), await read(site, request)]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([without, withOne])
  for (const { statusCode, headers, body } of answers) {
    expect(headers['cache-control']).toMatch(/no-store/)
    if (statusCode !== 200) expect(body).toMatch(/^[A-Z][^\n]+\.$/)
  }
})

test('answers are counted by route, procedure and status, and never by an address', async () => {
  const id = await site.addVideo(ann, { title: 'Secret title' })
  const get = (url: string) => site.get(url)
  await get(`/api/videos/${id}`)
  await get('/api/videos/999999')
  await get('/api/videos/999998')
  await get('/wp-login.php')
  const input = encodeURIComponent(JSON.stringify({ 0: { id }, 1: { id: 999_999 }, 2: {} }))
  const batch = await get(`/trpc/video.get,video.get,made.up?batch=1&input=${input}`)
  expect(batch.statusCode).toBe(207)

  const counted = async (route: string, status: string) =>
    figure('clutch_http_requests_total', { method: 'GET', route, status })
  expect(await counted('/api/videos/:id', '200')).toBe(1)
  expect(await counted('/api/videos/:id', '404')).toBe(2)
  expect(await counted('/trpc/video.get', '200')).toBe(1)
  expect(await counted('/trpc/video.get', '404')).toBe(1)
  expect(await counted('/trpc/unknown', '404')).toBe(1)
  expect(await counted('unknown', '404')).toBe(1)
  const seconds = 'clutch_http_request_duration_seconds'
  expect(await figure(`${seconds}_count`, { route: '/api/videos/:id' })).toBe(3)
  expect(await figure(`${seconds}_bucket`, { route: '/trpc/batch', le: '+Inf' })).toBe(1)
  const { body } = await read(site, bearer(TOKEN))
  for (const word of ['Secret', 'ann-who', 'wp-login', 'made.up']) {
    expect(body).not.toContain(word)
  }
})

test('jobs, uploads, views, bytes and cached answers are told as they are', async () => {
  const videoId = await site.addVideo(ann)
  const createdAt = timestamp(new Date(Date.now() - 90_000))
  const job = { kind: 'ladder' as const, videoId, createdAt, runAfter: createdAt }
  await addRows(site.db, 'jobs', { ...job, state: 'queued' })
  await site.db.insertInto('dailyViews').values({ day: '2026-01-02', videoId, count: 3 }).execute()
  await site.post('/api/uploads/initialize', {
    as: ann,
    payload: { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } },
  })
  for (let time = 0; time < 3; time++) await site.get('/api/categories')

  expect(await figure('clutch_jobs', { state: 'queued' })).toBe(1)
  expect(await figure('clutch_jobs', { state: 'failed' })).toBe(0)
  expect(await figure('clutch_job_oldest_age_seconds', { state: 'queued' })).toBeGreaterThan(89)
  expect(await figure('clutch_uploads', { state: 'receiving' })).toBe(1)
  expect(await figure('clutch_views_total')).toBe(3)
  expect(await figure('clutch_stored_bytes', { kind: 'database' })).toBeGreaterThan(0)
  expect(await figure('clutch_disk_free_bytes')).toBeGreaterThan(0)
  if (!isOnPostgres) {
    expect(await figure('clutch_answer_cache_reads_total', { result: 'hit' })).toBeGreaterThan(0)
    expect(await figure('clutch_answer_cache_reads_total', { result: 'miss' })).toBeGreaterThan(0)
  }
  expect(await figure('clutch_ready', { part: 'database' })).toBe(1)
  expect(await figure('clutch_ready', { part: 'jobs' })).toBe(0)
})

type Panel = { id: number; title: string; type: string; gridPos: object; targets: Target[] }
type Target = { refId: string; expr: string }

test('the dashboard and the alerts ask for metrics that there are, by labels that they have', async () => {
  const dashboard = JSON.parse(await readFile(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8'))
  const document = await readFile(join(ROOT, 'docs/monitoring.md'), 'utf8')
  expect(dashboard).toMatchObject({ uid: 'clutch', title: 'Clutch', schemaVersion: 39 })
  const panels = dashboard.panels as Panel[]
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const alerts = [...document.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr)
  expect([panels.length, alerts.length]).toEqual([19, 6])

  await site.get('/api/videos')
  const samples = await readSamples()
  const labelsOf = Map.groupBy(samples, ({ name }) => name)
  const unknown: string[] = []
  for (const expr of [...asked, ...alerts]) {
    for (const [, name = '', labels = ''] of expr.matchAll(
      /\b((?:clutch|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
    )) {
      const known = new Set(labelsOf.get(name)?.flatMap(({ labels }) => Object.keys(labels)))
      const used = [...labels.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label)
      const missing = used.filter((label) => label !== 'job' && !known.has(label))
      if (!labelsOf.has(name) || missing.length > 0) unknown.push(`${name}{${missing}}`)
    }
  }
  expect(unknown).toEqual([])
  // What is written down is all there is.
  const named = new Set([...document.matchAll(/`(clutch_\w+)`/g)].map(([, name]) => name))
  // Where the site is one process alone there are none.
  if (!isOnPostgres) expect(named.delete('clutch_nodes')).toBe(true)
  const told = [...labelsOf.keys()].filter((name) => name.startsWith('clutch_'))
  expect(new Set(told.map((name) => name.replace(/_(bucket|sum|count)$/, '')))).toEqual(named)
})
