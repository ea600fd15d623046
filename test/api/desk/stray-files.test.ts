import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { withFolderLock } from '#server/video/video/folder-lock.ts'
import { makeClip } from '#test/support/clips.ts'
import { addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { storedBytes } from '#test/support/stored-bytes.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

let bucket: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  bucket = await startS3Server()
})
afterAll(() => bucket.stop())

describe.each(['the data folder', 'a bucket'])(
  'files without rows in the folder of a video in %s',
  (place) => {
    let env: Record<string, string>
    let site: TestSite
    let ann: TestMember
    let mediaKey: string

    beforeAll(async () => {
      env = place === 'a bucket' ? bucket.mediaVariables('videos') : { MEDIA_STORE: '' }
      const settings: Partial<Config> = { media: readConfig(env).media, renditionHeights: [180] }
      site = await openTestSite(settings)
      ann = await site.addMember('ann')
      const path = join(site.dataFolder, 'clip.mp4')
      await makeClip({ path, container: 'mp4', seconds: 2 })
      const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.mp4' })
      await complete({ site, as: ann }, { uploadId })
      await site.deps.jobs.start()
      const isDone = async () =>
        (await site.db.selectFrom('jobs').select('state').execute()).every(
          ({ state }) => state === 'done',
        )
      await until(isDone)
      const video = site.db.selectFrom('videos').select('mediaKey')
      mediaKey = (await video.executeTakeFirstOrThrow()).mediaKey
    })
    afterAll(() => site.close())

    const doctor = () => runCommand('doctor', { dataFolder: site.dataFolder, env })
    const key = (name: string) => storeKey(mediaKey, name)
    const isThere = async (name: string) => (await site.media.stat(key(name))) !== undefined

    /** Puts a file as if it had come two hours ago, with all others of its folder. */
    async function leave(name: string) {
      await site.media.put([{ key: key(name), bytes: Buffer.alloc(1000, 'left') }])
      const longAgo = new Date(Date.now() - 2 * 3_600_000)
      const root = place === 'a bucket' ? join(bucket.directory, 'videos') : site.dataFolder
      for await (const stored of site.media.list(key(''))) {
        const path = join(root, stored.key)
        await utimes(path, longAgo, longAgo).catch(async () => {
          // The server keeps an object as a file with an ending of its own.
          for (const part of ['object', 'metadata.json']) {
            await utimes(`${path}._S3rver_${part}`, longAgo, longAgo)
          }
        })
      }
    }
    const tidyTwice = async () => {
      const deps = { ...site.deps, log: site.log }
      await tidy(deps, await tidy(deps, new Set()))
    }
    const takes = async () =>
      (await site.db.selectFrom('videos').select('storageBytes').executeTakeFirstOrThrow())
        .storageBytes

    test('are what no row speaks of, and not the upload, other pictures or what is retired', async () => {
      await leave('source')
      await leave('thumbnail-1.jpg')
      const owned = { videoId: 1, name: 'thumbnail-1.jpg', kind: 'picture', bytes: 1000 } as const
      await leave('poster.jpg')
      await site.db.insertInto('mediaFiles').values(owned).execute()
      const thumbnailUrl = `/${key('thumbnail-1.jpg')}`
      await site.db.updateTable('videos').set({ thumbnailUrl }).execute()
      await leave('old.jpg')
      const retired = { videoId: 1, name: 'old.jpg', kind: 'picture', bytes: 1000 } as const
      await addRows(site.db, 'mediaFiles', { ...retired, retiredAt: timestamp() })
      expect(await doctor()).toMatchObject({ code: 0 })
      await tidyTwice()
      expect(await doctor()).toMatchObject({ code: 0 })
      expect([await isThere('source'), await isThere('poster.jpg')]).toEqual([true, true])
    })

    test('go when two rounds saw them, and no longer count as the member’s', async () => {
      await leave('9999.mp4')
      const storageBytes = await storedBytes(site.media, mediaKey)
      await site.db.updateTable('videos').set({ storageBytes }).execute()
      expect(await doctor()).toMatchObject({
        code: 1,
        out: expect.stringMatching(`^orphaned: media/${mediaKey}/9999.mp4\n`),
      })
      const deps = { ...site.deps, log: site.log }
      const suspects = await tidy(deps, new Set())
      expect(await isThere('9999.mp4')).toBe(true)
      await tidy(deps, suspects)
      expect(await isThere('9999.mp4')).toBe(false)
      expect(await takes()).toBe(storageBytes - 1000)
      expect(await doctor()).toMatchObject({ code: 0 })
    })

    test('stay while work on their video is to come, and where a row came first', async () => {
      await leave('1440.mp4')
      const soon = timestamp(new Date(Date.now() + 3_600_000))
      await site.db.updateTable('jobs').set({ state: 'queued', runAfter: soon }).execute()
      await tidyTwice()
      expect([await isThere('1440.mp4'), (await doctor()).code]).toEqual([true, 0])
      await site.db.updateTable('jobs').set({ state: 'failed' }).execute()

      const deps = { ...site.deps, log: site.log }
      const suspects = await tidy(deps, new Set())
      expect(suspects).toContain(key('1440.mp4'))
      let tidied: Promise<unknown> | undefined
      await withFolderLock(site.db, mediaKey, async () => {
        tidied = tidy(deps, suspects)
        await until(
          async () => (await site.db.selectFrom('videos').select('id').execute()).length > 0,
        )
        const file = { videoId: 1, name: '1440.mp4', kind: 'rendition', bytes: 1000 } as const
        await site.db.insertInto('mediaFiles').values(file).execute()
      })
      await tidied
      expect(await isThere('1440.mp4')).toBe(true)
      await rm(join(site.dataFolder, 'clip.mp4'))
    })
  },
)
