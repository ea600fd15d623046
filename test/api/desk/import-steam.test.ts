import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { clipManifest, writeSession, writeTimeline } from '#test/support/steam.ts'

let site: ImportSite

beforeEach(async () => {
  site = await openImportSite()
})
afterEach(() => site.remove())

const bring = (args: string[] = [], env: Record<string, string> = {}) =>
  site.run(['steam', site.folder, '--owner', 'ann', ...args], env)

const CLIP = 'clip_730_20260828_221805'

/** Session clock and timeline differ by 25 s, and the clip begins 4,100 s into its session. */
async function writeClip(): Promise<string> {
  const clip = join(site.folder, 'clips', CLIP)
  const video = join(clip, 'video')
  await writeSession(video, { name: 'bg_730_20260828_204356', startSeconds: 4100 })
  await writeTimeline(clip, {
    name: 'timeline_73020260828_204331',
    entries: [
      { id: '1', type: 'event', time: '4126500', title: 'Double Kill', possible_clip: 3 },
      { id: '2', type: 'usermarker', time: '4200000', title: 'Later' },
    ],
  })
  return clip
}

async function inspectStored() {
  const names = await readdir(join(site.dataFolder, 'media'), { recursive: true })
  const files = names
    .filter((name) => name.endsWith('.mp4'))
    .map((name) => ({ path: join(site.dataFolder, 'media', name), kind: 'video' as const }))
  return (await runMediaTask({ kind: 'inspect', files }, { timeoutMs: 60_000 })).files
}

test('a clip of several sessions comes as one MP4 with its game, time, title and markers, once', async () => {
  const clip = await writeClip()
  await writeSession(join(clip, 'video'), { name: 'bg_730_20260828_220000', solid: '0xc83c28' })
  await writeFile(join(clip, 'clip.pb'), clipManifest('Ace on Dust II'))
  const before = (await readdir(site.folder, { recursive: true })).sort()
  if (isLongForm) {
    const tried = await bring(['--dry-run'])
    expect(tried).toMatchObject({ code: 0, err: '' })
    expect(tried.out).toMatch(/^Would import 1 video, .*\. 0 were there already\.\n$/m)
    expect(await site.listLeft()).toEqual([])
  }

  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^Imported 1 video, .*\. 0 were there already\.\n$/m)
  expect(await site.listVideos()).toMatchObject([
    {
      title: 'Ace on Dust II',
      category: 'CS2',
      tags: '[]',
      publishedAt: '2026-08-28T22:18:05.000Z',
    },
  ])
  const moments = site.db.selectFrom('moments').select(['source', 'atSeconds', 'title', 'weight'])
  expect(await moments.execute()).toEqual([
    { source: 'chapter', atSeconds: expect.closeTo(1.5, 1), title: 'Double Kill', weight: 1 },
  ])
  const [found] = await inspectStored()
  expect(found).toMatchObject({ codecs: ['h264', 'aac'], pictures: 180 })
  expect(found?.durationSeconds).toBeCloseTo(6, 0)
  expect(await readdir(join(site.dataFolder, 'work'))).toEqual([])
  expect((await readdir(site.folder, { recursive: true })).sort()).toEqual(before)

  const again = await bring()
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 1 were there already\.\n$/m)
})

longTest(
  'a size that changes makes several videos, and other sessions come on their own',
  async () => {
    const clip = await writeClip()
    const large = { name: 'bg_730_20260828_220000', width: 640, height: 360 }
    await writeSession(join(clip, 'video'), large)
    const background = { name: 'bg_1091500_20260101_120000', solid: '0x28c83c', isSilent: true }
    await writeSession(join(site.folder, 'video'), background)
    await writeTimeline(site.folder, {
      name: 'timeline_109150020260101_115950',
      entries: [{ type: 'achievement', time: 11_000, title: 'The Fool' }],
    })
    const done = await bring()
    expect(done).toMatchObject({ code: 0, err: '' })
    const sentence = 'Its size or format changes, so that it comes as 2 videos.'
    expect(done.out).toContain(`clips/${CLIP} 1: ${sentence}\n`)
    expect(done.out).toContain(`clips/${CLIP} 2: ${sentence}\n`)
    expect(await site.listVideos()).toMatchObject([
      { title: 'Recording, 1 January 2026, 12:00', category: 'Other', tags: '[]' },
      { title: 'CS2, 28 August 2026, 22:18 1', publishedAt: '2026-08-28T22:18:05.000Z' },
      { title: 'CS2, 28 August 2026, 22:18 2', publishedAt: '2026-08-28T22:00:00.000Z' },
    ])
    const moments = site.db.selectFrom('moments').select(['videoId', 'atSeconds', 'title'])
    expect(await moments.orderBy('videoId').execute()).toMatchObject([
      { videoId: 1, atSeconds: 1, title: 'The Fool' },
      { videoId: 2, title: 'Double Kill' },
    ])
  },
)

test('damaged recordings are named with a reason, and nothing of them is left', async () => {
  const clips = join(site.folder, 'clips')
  const session = async (clip: string, name = 'fg_730_20260101_120000') =>
    writeSession(join(clips, clip, 'video'), { name, isSilent: true })
  await rm(join(await session('clip_730_20260101_000001'), 'init-stream0.m4s'))
  const text = await session('clip_730_20260101_000002')
  await writeFile(join(text, 'init-stream0.m4s'), 'no boxes')
  const outside = join(site.dataFolder, 'outside.m4s')
  await writeFile(outside, 'secret')
  const linked = await session('clip_730_20260101_000003')
  await rm(join(linked, 'init-stream0.m4s'))
  await symlink(outside, join(linked, 'init-stream0.m4s'))
  await symlink(site.dataFolder, join(clips, 'clip_730_20260101_000004'))
  const noise = await session('clip_730_20260101_000005')
  for (const name of await readdir(noise)) {
    if (name.startsWith('chunk')) await writeFile(join(noise, name), Buffer.alloc(5000, 7))
  }
  const cut = await session('clip_730_20260101_000006')
  await truncate(join(cut, 'chunk-stream0-00003.m4s'), 2000)
  await writeFile(join(cut, 'chunk-stream0-00004.m4s'), '')
  const timelines = join(clips, 'clip_730_20260101_000006', 'timelines')
  await mkdir(timelines)
  await writeFile(join(timelines, 'timeline_73020260101_115900.json'), '{"entries":'.repeat(1000))

  const done = await bring()
  expect(done.code).toBe(1)
  const missing = 'It has no picture, or its beginning is missing.'
  expect(
    done.err
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim()),
  ).toEqual([
    expect.stringMatching(/^clips\/clip_730_20260101_000005: .*\.$/),
    `clips/clip_730_20260101_000001: ${missing}`,
    `clips/clip_730_20260101_000002: ${missing}`,
    `clips/clip_730_20260101_000003: ${missing}`,
    'clips/clip_730_20260101_000006: This is no timeline of Steam: choose a file from the folder “timelines”.',
  ])
  expect(await site.listVideos()).toHaveLength(1)
  const [found] = await inspectStored()
  expect(found?.pictures).toBeGreaterThan(59)
  expect(found?.pictures).toBeLessThan(90)
  expect(await site.listLeft()).toHaveLength(1)

  const other = join(site.folder, 'empty')
  await mkdir(other)
  expect(await site.run(['steam', other, '--owner', 'ann'])).toEqual({
    ...{ code: 1, out: '', err: `${other} has no recording of Steam.\n` },
  })
})

longTest('an import that is killed leaves nothing, and continues', async () => {
  await writeClip()
  const left = join(site.dataFolder, 'work', 'import')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, '0-picture.mp4'), 'of a killed import')
  for (const step of [
    'import.noted',
    'chunk.recorded',
    'complete.prepared',
    'complete.published',
  ]) {
    const killed = await bring([], { CLUTCH_STOP_AT: step })
    expect(killed.out, step).not.toContain('Imported')
  }
  expect(await bring()).toMatchObject({ code: 0, err: '' })
  expect(await site.listVideos()).toHaveLength(1)
  expect(await site.db.selectFrom('moments').select('id').execute()).toHaveLength(1)
  // A killed completion leaves a folder until the next start of the site.
  const names = await readdir(join(site.dataFolder, 'work'))
  expect(names.filter((name) => !name.startsWith('dropped-'))).toEqual([])
})
