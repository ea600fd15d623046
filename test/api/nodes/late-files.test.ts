import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { compareHashes } from '#server/desk/site-check/deep-check.ts'
import { tidy } from '#server/janitor.ts'
import { readConfig } from '#server/platform/config.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { measureStored } from '#server/platform/files/file-hash.ts'
import { makeClip } from '#test/support/clips.ts'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { isLongForm, quickCases } from '#test/support/long-form.ts'
import { readRow } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { openTestNodes } from '#test/support/test-nodes.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { isDone } from '#test/support/worker-site.ts'

const clips = setUpFolder('late')
/** One has to be encoded to play, of the other only the ladder is made. */
const paths: Record<string, string> = {}
beforeAll(async () => {
  const size = { seconds: 2, width: 640, height: 360 }
  const avi = { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  paths.transcode = await makeClip({ path: join(clips, 'a.avi'), ...avi, ...size })
  paths.ladder = await makeClip({ path: join(clips, 'b.mp4'), ...size })
})

async function upload(site: TestSite, as: TestMember, kind: string): Promise<number> {
  const path = paths[kind] ?? ''
  const uploadId = await sendFile({ site, as }, { path, name: path.slice(-5) })
  return (await complete({ site, as }, { uploadId })).json().videoId
}

/** What is stored under the media keys of a site, each with its bytes and hash. */
async function readAll({ media }: TestSite) {
  const stored = new Map<string, object | undefined>()
  for await (const { key } of media.list('media/')) stored.set(key, await measureStored(media, key))
  return stored
}

const listJobs = (site: TestSite) => site.db.selectFrom('jobs').selectAll().orderBy('id').execute()

/** The janitor's two rounds, in which what came is two hours old. */
async function tidyLater(site: TestSite, root: string): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  for await (const { key } of site.media.list('media/')) {
    const path = join(root, key)
    await utimes(path, longAgo, longAgo).catch(async () => {
      for (const part of ['object', 'metadata.json']) {
        await utimes(`${path}._S3rver_${part}`, longAgo, longAgo)
      }
    })
  }
  const deps = { ...site.deps, log: site.log }
  await tidy(deps, await tidy(deps, new Set()))
}

test.each(quickCases([['transcode'], ['ladder']], ['ladder']))(
  'what a node puts into a bucket after another one has published its %s takes no file’s place, and goes',
  async (kind) => {
    const nodes = await openTestNodes({}, { leaseMs: 600_000 })
    onTestFinished(() => nodes.close())
    const { other, bucket, databaseUrl } = nodes
    const proxy = await startFaultProxy(bucket.endpoint)
    onTestFinished(() => proxy.stop())
    const through = { ...bucket.mediaVariables('nodes'), MEDIA_S3_ENDPOINT: proxy.endpoint }
    // Steps of another size: the two nodes' files differ although their names were the same.
    const slow = await openTestSite({
      ...{ databaseUrl, media: readConfig(through).media, renditionHeights: [240, 96] },
    })
    const ann = await other.addMember('ann')
    await upload(other, ann, kind)

    proxy.fail('hold', { of: /^PUT .*\/media\// })
    await slow.deps.jobs.start()
    await until(async () => (await listJobs(slow))[0]?.step === 'no-store', { timeoutMs: 60_000 })
    await slow.close()
    expect(proxy.late.length).toBeGreaterThan(0)
    await other.db.updateTable('jobs').set({ runAfter: timestamp() }).execute()
    await other.deps.jobs.start()
    const isReady = async () => (await listJobs(other)).every(isDone)
    await until(isReady, { timeoutMs: 90_000 })
    const published = await readAll(other)
    expect((await compareHashes(other.db, other.media)).problems).toEqual([])

    await proxy.arrive()
    const late = await readAll(other)
    for (const [key, file] of published) expect([key, late.get(key)]).toEqual([key, file])
    expect(late.size).toBeGreaterThan(published.size)
    const { problems, read, noted } = await compareHashes(other.db, other.media)
    expect({ problems, noted, files: read.files }).toEqual({
      ...{ problems: [], noted: 0, files: published.size },
    })

    await tidyLater(other, join(bucket.directory, 'nodes'))
    expect(await readAll(other)).toEqual(published)
    const { storageBytes } = await readRow(other.db, 'videos')
    const bytes = [...published.values()].map((file) => (file as { bytes: number }).bytes)
    expect(storageBytes).toBe(bytes.reduce((sum, one) => sum + one, 0))
  },
  240_000,
)

// Nodes that share a PostgreSQL database keep media in a store, never in a folder.
test.runIf(isLongForm && !isOnPostgres)(
  'what a stopped process moves into a folder after its job was done again takes no file’s place',
  async () => {
    const site = await openTestSite({ renditionHeights: [180] })
    onTestFinished(() => site.close())
    const ann = await site.addMember('ann')
    const id = await upload(site, ann, 'ladder')
    const stopped = await startServer({
      dataFolder: site.dataFolder,
      env: {
        ...{ CLUTCH_STOP_AT: 'files.announced:1:pause', MEDIA_STORE: '' },
        ...{ PROCESSING_JOBS: '1', RENDITIONS: '240,144' },
      },
    })
    onTestFinished(async () => void (await stopped.stop('SIGKILL')))
    const countComing = async () =>
      (
        await site.db
          .selectFrom('mediaFiles')
          .select('name')
          .where('retiredAt', 'is not', null)
          .execute()
      ).length
    await until(async () => (await countComing()) > 0, { timeoutMs: 60_000 })

    await site.deps.jobs.start()
    await until(async () => (await listJobs(site)).every(isDone), { timeoutMs: 90_000 })
    const hlsUrl = async () => (await site.get(`/api/videos/${id}`)).json().hlsUrl
    const [published, playlist] = [await readAll(site), await hlsUrl()]
    process.kill(stopped.pid, 'SIGCONT')
    // It finds that the job is not its any more, and takes away what it has just put.
    await until(async () => (await countComing()) === 0, { timeoutMs: 60_000 })
    expect([await readAll(site), await hlsUrl()]).toEqual([published, playlist])
    expect(await compareHashes(site.db, site.media)).toMatchObject({ problems: [], noted: 0 })
  },
  240_000,
)
