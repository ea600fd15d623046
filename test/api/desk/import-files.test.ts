import { mkdir, open, readdir, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeVideo } from '#server/desk/import/describe-video.ts'
import { listFilesByName } from '#server/desk/import/file-by-tail.ts'
import type { FindFile, ForeignVideo } from '#server/desk/import/foreign-library.ts'
import { importVideos } from '#server/desk/import/import-videos.ts'
import { findSteamRecordings } from '#server/desk/import/steam-folder.ts'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { readConfig } from '#server/platform/config.ts'
import { beginImport } from '#server/platform/db/maintain.ts'
import { createLiveFeed } from '#server/platform/events/live-feed.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { makeClip } from '#test/support/clips.ts'
import { writeFireshare } from '#test/support/fireshare.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { until } from '#test/support/until.ts'

let site: ImportSite

beforeEach(async () => {
  site = await openImportSite()
})
afterEach(() => site.remove())

test('a file that the system does not let the site read does not end the import', async () => {
  const path = join(site.folder, 'clip.mp4')
  await makeClip({ path, seconds: 3 })
  const changedAt = new Date()
  const fail = (fields: object) => () => Promise.reject(Object.assign(new Error('no'), fields))
  const denied = { code: 'EACCES', syscall: 'open', path }
  const file = { bytes: 1000, changedAt }
  const finders: Record<string, FindFile> = {
    unfound: fail({ code: 'EIO', syscall: 'lstat', path }),
    denied: async () => ({ ...file, open: fail(denied) }),
    // Reading from a file that is open for writing only fails.
    unread: async () => ({ ...file, open: () => open(path, 'a') }),
    good: async () => ({ ...file, open: () => open(path) }),
  }
  const videos = Object.entries(finders).map(([id, findFile]): ForeignVideo => {
    const { details, notes } = describeVideo(
      { path: id, title: `The ${id}`, description: '', games: [], tags: [] },
      [],
    )
    const name = { id, path: id, fileName: `${id}.mp4` }
    return { ...name, details, notes, publishedAt: changedAt, views: 0, findFile }
  })
  const library = { videos, playlists: [], problems: [], notes: [] }
  const viewer = { id: 1, username: 'ann', displayName: 'ann', isAdmin: false }
  const { deps, close } = await openDeps()
  const listeners = { onProgress: () => {}, onFetched: () => {}, onLink: () => {} }
  const wanted = { source: 'fireshare' as const, viewer, library, isDryRun: false }
  const { imported, problems } = await importVideos(deps, wanted, listeners)
  expect([imported, problems]).toEqual([
    1,
    [
      { path: 'unfound', sentence: 'The file could not be read (EIO).' },
      { path: 'denied', sentence: 'The site may not read this file.' },
      { path: 'unread', sentence: 'The file could not be read (EBADF).' },
    ],
  ])
  expect(await site.listVideos()).toMatchObject([{ title: 'The good' }])
  // The files of a complete upload are deleted in the background.
  await until(async () => (await site.listLeft()).length === 1)
  const own = { code: 'EACCES', syscall: 'open', path: join(deps.disk.folders.uploads, 'one') }
  const broken = videos.map((video) => ({ ...video, id: 'own', findFile: fail(own) }))
  const ended = importVideos(
    deps,
    { ...wanted, library: { ...library, videos: broken } },
    listeners,
  )
  expect((await ended).cause).toMatchObject(own)
  await close()
})

test('an import that ends for lack of space tells what came before', async () => {
  const clips = ['one.mp4', 'two.mp4', 'three.mp4'].map((name) => join(site.folder, name))
  for (const [index, path] of clips.entries()) await makeClip({ path, seconds: index + 1 })
  const videos = clips.map((path): ForeignVideo => {
    const input = { path, title: path, description: '', games: [], tags: [] }
    const file = { bytes: 1000, changedAt: new Date(), open: () => open(path) }
    return {
      ...{ ...describeVideo(input, []), id: path, path, fileName: 'clip.mp4', views: 0 },
      ...{ publishedAt: undefined, findFile: async () => file },
    }
  })
  const { deps, close } = await openDeps()
  let uploads = 0
  const disk = { ...deps.disk, freeBytes: async () => (++uploads === 1 ? 1e12 : 0) }
  const library = { videos, playlists: [], problems: [{ path: 'x', sentence: 'No.' }], notes: [] }
  const viewer = { id: 1, username: 'ann', displayName: 'ann', isAdmin: false }
  const wanted = { source: 'fireshare' as const, viewer, library, isDryRun: false }
  const listeners = { onProgress: () => {}, onFetched: () => {} }
  const result = await importVideos({ ...deps, disk }, wanted, listeners)
  expect(result).toMatchObject({
    ...{ imported: 1, problems: [{ path: 'x', sentence: 'No.' }] },
    cause: { kind: 'no-space', message: 'The server has no room left for a file of this size.' },
  })
  const [entry] = await site.db.selectFrom('auditLog').select('reason').execute()
  expect(entry?.reason).toBe(
    'From fireshare: 1 video imported, 0 there before, 1 problem. It ended early.',
  )
  const rest = await importVideos(deps, wanted, listeners)
  expect(rest).toMatchObject({ imported: 2, there: 1, cause: undefined })
  await close()
})

test('a folder that cannot be read does not keep what is beside it from being found', async () => {
  const root = join(site.folder, ...Array.from({ length: 12 }, () => 'x'.repeat(200)))
  const [first, ...deep] = Array.from({ length: 7 }, () => 'y'.repeat(250))
  const inner = join(site.folder, `${first}`)
  await mkdir(join(inner, ...deep), { recursive: true })
  await mkdir(join(root, 'clip_1_20250501_224800', 'video', 'bg'), { recursive: true })
  await writeFile(join(root, 'clip_1_20250501_224800', 'video', 'bg', 'session.mpd'), '')
  // The whole path is longer than the system can read.
  await rename(inner, join(root, `${first}`))
  try {
    const unreadable: string[] = []
    const onUnreadable = (path: string) => void unreadable.push(path)
    const files = await listFilesByName(root, onUnreadable)
    expect([...files.keys()]).toEqual(['session.mpd'])
    const recordings = await findSteamRecordings(root, onUnreadable)
    expect(recordings.map(({ path }) => path)).toEqual(['clip_1_20250501_224800'])
    expect(unreadable).toEqual([join(`${first}`, ...deep), join(`${first}`, ...deep)])
  } finally {
    // Otherwise it could not be deleted.
    await rename(join(root, `${first}`), inner)
  }
})

test('a site that starts leaves alone what an import is making, and deletes what one has left', async () => {
  const disk = openDisk(site.dataFolder)
  for (const name of ['import', 'other']) {
    const folder = await disk.openWorkFolder(name)
    await writeFile(join(folder, 'joined.mp4'), 'half')
  }
  const end = beginImport(site.dataFolder)
  await disk.prepare()
  expect(await site.listLeft()).toEqual(['import'])
  expect(await readdir(join(disk.folders.work, 'import'))).toEqual(['joined.mp4'])
  end?.()
  await disk.prepare()
  expect(await site.listLeft()).toEqual([])
})

test('the database of Fireshare is copied to the data folder only, which keeps nothing of it', async () => {
  await writeFireshare(site.folder, { version: '1.8', videos: [{ path: 'missing.mp4' }] })
  await mkdir(join(site.folder, 'videos'), { recursive: true })
  const none = join(site.folder, 'none')
  const done = await site.run(['fireshare', site.folder, '--owner', 'ann'], { TMPDIR: none })
  expect(done.err).toContain('missing.mp4: The file is missing.')
  expect(await site.listLeft()).toEqual([])
  const path = join(site.folder, 'db.sqlite')
  await truncate(path, 2 * 1024 ** 3)
  const large = await site.run(['fireshare', site.folder, '--owner', 'ann'])
  expect(large).toEqual({ code: 1, out: '', err: `${path} is larger than 1GB.\n` })
  expect(await site.listLeft()).toEqual([])
})

async function openDeps() {
  const config = readConfig({ DATA_DIR: site.dataFolder })
  const disk = openDisk(site.dataFolder)
  for (const folder of Object.values(disk.folders)) await mkdir(folder, { recursive: true })
  const { media, close } = await openMediaForCommand(config)
  const deps = {
    ...{ config, db: site.db, disk, media, deadline: new AbortController().signal },
    ...{ live: createLiveFeed(busOf(site.db)), jobs: { wake: () => {} } },
  }
  return { deps, close }
}
