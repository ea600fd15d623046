import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { beginBackup } from '#server/platform/db/maintain.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { publishFiles } from '#server/video/media/media-folder.ts'
import { listRetiredFilesOfVideo } from '#server/video/media/retired-file.queries.ts'
import { renewCards } from '#server/video/poster/card-renewal.service.ts'
import { posterOf } from '#shared/poster.ts'
import { makeClip, readStill } from '#test/support/clips.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { makePng } from '#test/support/png.ts'
import { answerOf, callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { storedBytes } from '#test/support/stored-bytes.ts'
import { listStored, localFile, partsOf } from '#test/support/stored-files.ts'
import { openTestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, multipart, sendFile } from '#test/support/upload-client.ts'

type Answered = {
  thumbnailUrl: string
  cardUrl: string | null
  preview: string | null
  videoUrl: string
}
type Frame = { atSeconds: number; url: string; width: number; height: number }

const site = setUpTestSite({ renditionHeights: [180] })
const { call } = callsOf(site)
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let id: number

beforeAll(async () => {
  const path = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 6, blackSeconds: 3, keyFrameSeconds: 10 })
  const uploadId = await sendFile({ site, as: ann }, { path })
  id = (await complete({ site, as: ann }, { uploadId })).json().videoId
})

const ask = <Output>(name: string, input: object) =>
  answerOf<Output>(site, { as: ann, name, input })
const getVideo = () => ask<Answered>('video.get', { id })
const setFrame = (atSeconds: number) => ask<Answered>('video.setPosterFrame', { id, atSeconds })
const send = (thumbnail: Buffer, as = ann) =>
  site.post(`/api/videos/${id}/thumbnail`, { as, ...multipart({ thumbnail }) })
const fileOf = (url: string) => localFile(site, ...partsOf(url))
const bytesOf = async (url: string) => (await site.get(url)).statusCode

/** Only one picture is kept. */
async function expectBooked(): Promise<void> {
  const { thumbnailUrl } = await getVideo()
  const [mediaKey, picture] = partsOf(thumbnailUrl)
  const names = await listStored(site, mediaKey)
  const base = picture.replace('.jpg', '')
  const pictures = names.filter((name) => /\.(jpg|webp)$/.test(name) && !/^story/.test(name))
  expect(pictures.every((name) => name.startsWith(base))).toBe(true)
  await expectRows()
}

/** The rows are the files, and the video's row reports their size. */
async function expectRows(): Promise<void> {
  const [mediaKey] = partsOf((await getVideo()).thumbnailUrl)
  const names = await listStored(site, mediaKey)
  const rows = await site.db
    .selectFrom('mediaFiles')
    .select('name')
    .where('videoId', '=', id)
    .execute()
  expect(rows.map(({ name }) => name).sort()).toEqual(names)
  const video = await readRow(site.db, 'videos', { id })
  expect(video.storageBytes).toBe(await storedBytes(site.media, mediaKey))
}

test('there are no frames to choose from before the video is fully prepared', async () => {
  expect(await ask('video.posterFrames', { id })).toEqual([])
})

test('the frame of a time becomes the picture, under a new address', async () => {
  const before = await getVideo()
  const black = await setFrame(1.5)
  expect(black.thumbnailUrl).not.toBe(before.thumbnailUrl)
  const picture = await readStill(await fileOf(black.thumbnailUrl))
  expect(picture.width).toBe(320)
  expect(Math.max(...picture.at(0.5, 0.5), ...picture.at(0.2, 0.3))).toBeLessThan(24)
  expect(await bytesOf(before.thumbnailUrl)).toBe(404)
  expect(await bytesOf(black.thumbnailUrl)).toBe(200)
  expect(await bytesOf(black.cardUrl ?? '')).toBe(200)

  const bright = await setFrame(4.5)
  const same = await readStill(await fileOf(bright.videoUrl), 4.5)
  const chosen = await readStill(await fileOf(bright.thumbnailUrl))
  for (const [x, y] of [
    [0.1, 0.1],
    [0.45, 0.4],
    [0.9, 0.8],
  ] as const) {
    const [wanted, found] = [same.at(x, y), chosen.at(x, y)]
    for (const channel of [0, 1, 2]) {
      expect(Math.abs((wanted[channel] ?? 0) - (found[channel] ?? 0))).toBeLessThan(40)
    }
  }
  expect(await bytesOf(black.thumbnailUrl)).toBe(404)
  await expectBooked()
})

test('a ladder that was begun before does not bring the old picture back', async () => {
  await site.deps.jobs.start()
  const status = () =>
    ask<{ ladder: { state: string } }>('video.processingStatus', { id }).then((one) => one.ladder)
  await until(async () => (await status()).state === 'running')
  const chosen = await setFrame(5)
  await until(async () => (await status()).state === 'done')
  const video = await getVideo()
  expect([video.thumbnailUrl, video.cardUrl]).toEqual([chosen.thumbnailUrl, chosen.cardUrl])
  expect(await bytesOf(video.cardUrl ?? '')).toBe(200)
  await expectBooked()
})

test('a prepared video offers frames from all over it, which can be looked at', async () => {
  const frames = await ask<Frame[]>('video.posterFrames', { id })
  expect(frames).toHaveLength(12)
  const times = frames.map(({ atSeconds }) => atSeconds)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times[0]).toBeLessThan(1)
  expect(times.at(-1)).toBeGreaterThan(5)
  expect(await bytesOf(frames[0]?.url ?? '')).toBe(200)
  expect(await setFrame(times[11] ?? 0)).toMatchObject({ id })
})

test('an uploaded picture is rewritten, in all sizes', async () => {
  const answer = await send(makePng(640, 360, [10, 200, 30]))
  expect(answer.statusCode).toBe(200)
  const { thumbnailUrl } = answer.json()
  const video = await getVideo()
  expect(video.thumbnailUrl).toBe(thumbnailUrl)
  expect((await readStill(await fileOf(thumbnailUrl))).at(0.5, 0.5)[1]).toBeGreaterThan(180)
  expect((await site.get(video.cardUrl ?? '')).headers).toMatchObject({
    'content-type': 'image/webp',
  })
  await expectBooked()
})

test('what is no picture is refused, and the old one stays', async () => {
  const before = await getVideo()
  const cut = makePng(64, 64).subarray(0, 60)
  expectSentence(await send(Buffer.from('GIF89a')), { status: 415 })
  expectSentence(await send(cut), { status: 422 })
  expectSentence(await send(Buffer.alloc(2 * 1024 * 1024 + 1)), { status: 413 })
  expectSentence(await send(Buffer.alloc(0)), { status: 400 })
  expect(await getVideo()).toEqual(before)
  await expectBooked()
})

test('a time outside the video is refused', async () => {
  for (const atSeconds of [-1, 9, 1e9, Number.NaN, '3']) {
    const input = { id, atSeconds }
    const answer = await call(ann, 'video.setPosterFrame', input)
    expect(answer.statusCode).toBe(400)
  }
})

test('nobody else changes it', async () => {
  const input = { id, atSeconds: 1 }
  const byBob = await call(bob, 'video.setPosterFrame', input)
  expect(byBob.statusCode).toBe(403)
  expectSentence(await send(makePng(16, 9), bob), { status: 403 })
  await site.db.updateTable('videos').set({ contentApproved: 0 }).where('id', '=', id).execute()
  expectSentence(await send(makePng(16, 9), bob), { status: 404 })
  await site.db.updateTable('videos').set({ contentApproved: 1 }).where('id', '=', id).execute()
})

test('while a backup runs the old picture stays, and goes later', async () => {
  const before = await getVideo()
  const end = beginBackup(site.dataFolder)
  await setFrame(2)
  const [mediaKey, name] = partsOf(before.thumbnailUrl)
  expect(await listStored(site, mediaKey)).toContain(name)
  end?.()
  const longAgo = { retiredAt: '2020-01-01T00:00:00.000Z' }
  await site.db.updateTable('mediaFiles').set(longAgo).where('retiredAt', 'is not', null).execute()
  await tidy(site.deps as Parameters<typeof tidy>[0], new Set())
  expect(await listStored(site, mediaKey)).not.toContain(name)
  await expectBooked()
})

/** As an older version left it: one card, without a preview. */
async function makeOld(): Promise<Answered> {
  await site.db.updateTable('videos').set({ preview: null }).where('id', '=', id).execute()
  return getVideo()
}

test('cards of an older version are made anew, and the picture stays', async () => {
  const old = await makeOld()
  await renewCards(site.deps, 0)
  const renewed = await getVideo()
  expect(renewed.thumbnailUrl).toBe(old.thumbnailUrl)
  expect(renewed.cardUrl).not.toBe(old.cardUrl)
  const addresses = posterOf(renewed).srcSet?.match(/\/media\/\S+/g) ?? []
  expect(addresses).toHaveLength(3)
  for (const address of [...addresses, renewed.thumbnailUrl]) {
    expect(await bytesOf(address)).toBe(200)
  }
  expect(await bytesOf(old.cardUrl ?? '')).toBe(404)
  await expectRows()
})

test('an old card whose picture cannot be read stays, and is not tried again', async () => {
  const old = await makeOld()
  const [mediaKey, name] = partsOf(old.thumbnailUrl)
  const path = join(site.dataFolder, 'damaged')
  await writeFile(path, 'damaged')
  await site.media.put([{ key: storeKey(mediaKey, name), path }])
  await renewCards(site.deps, 0)
  const { preview, cardUrl } = await getVideo()
  expect([preview, cardUrl]).toEqual(['', old.cardUrl])
  expect(posterOf({ ...old, preview }).srcSet).toBeUndefined()
  await setFrame(3)
})

test('a video that is deleted meanwhile is not found, and nothing is left of the picture', async () => {
  const before = await getVideo()
  const setting = call(ann, 'video.setPosterFrame', { id, atSeconds: 3 })
  await site.delete(`/api/videos/${id}`, { as: ann })
  expect((await setting).statusCode).toBe(404)
  expect(await listStored(site, partsOf(before.thumbnailUrl)[0])).toEqual([])
  expect(await readdir(site.disk.folders.work)).toEqual([])
})

test('a picture of a recording that was replaced meanwhile goes nowhere', async () => {
  const workFolder = await site.disk.openWorkFolder('stale')
  const file = { name: 'poster-stale.jpg', kind: 'picture', bytes: 5, sha256: null } as const
  await writeFile(join(workFolder, file.name), 'bytes')
  const replaced = { id: await site.addVideo(ann), mediaKey: 'a'.repeat(32) }
  const publishing = publishFiles(site.deps, {
    ...{ video: replaced, workFolder, files: [file], payer: { userId: ann.id } },
    publish: async () => {},
  })
  await expect(publishing).rejects.toThrow('This video was changed meanwhile. Please try again.')
  expect(await listStored(site, replaced.mediaKey)).toEqual([])
  expect(
    await listRetiredFilesOfVideo(site.db, { videoId: replaced.id, kinds: ['picture'] }),
  ).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'one member’s slow files do not hold up the picture of another',
  { timeout: 60_000 },
  async () => {
    const slow = await openTestSite()
    try {
      const [eve, fay] = [await slow.addMember('eve'), await slow.addMember('fay')]
      const mediaKey = 'e'.repeat(32)
      const path = join(slow.dataFolder, 'clip.mp4')
      await makeClip({ path, seconds: 5 })
      await slow.media.put([{ key: storeKey(mediaKey, 'video.mp4'), path }])
      const fields = { mediaKey, videoUrl: `/media/${mediaKey}/video.mp4`, duration: 5 }
      const stuck = await slow.addVideo(eve, fields)
      const input = { id: stuck, atSeconds: 1 }
      const choose = () => callProcedure(slow, { as: eve, name: 'video.setPosterFrame', input })
      const others = await listMediaProcesses()
      const waiting = Array.from({ length: 4 }, choose)
      const works = () => readdir(slow.disk.folders.work)
      await until(async () => (await works()).length === 2 * waiting.length)
      // A member gets two of the three places; the processes in both are stopped.
      const stopped = new Set<number>()
      await until(async () => {
        for (const id of await listMediaProcesses()) {
          if (others.includes(id) || stopped.has(id)) continue
          process.kill(id, 'SIGSTOP')
          stopped.add(id)
        }
        return stopped.size === 2
      })
      const answer = await slow.post('/api/settings/avatar', {
        as: fay,
        ...multipart({ picture: makePng(64, 64) }),
      })
      expect(answer.statusCode).toBe(200)
      expect(await works()).toHaveLength(2 * waiting.length)
      slow.stopWork()
      for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBe(503)
    } finally {
      await slow.close()
    }
  },
)
