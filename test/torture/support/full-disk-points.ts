import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Material } from './kill-scenes.ts'
import type { Ledger } from './ledger.ts'
import { type Answer, resultOf, type SiteClient } from './site-client.ts'

export type DiskSite = { client: SiteClient; ledger: Ledger; material: Material; videoId: number }

export type DiskPoint = {
  name: string
  /** What is left free when it is tried. */
  freeBytes: number
  /** Done while there is room. @returns what is tried, time and again, until the disk is full */
  prepare: (site: DiskSite, mark: string) => Promise<(time: number) => Promise<Answer | undefined>>
  /** How often it fits at most before the disk must be full; 1 for what needs room every time, 0 for what is not asked for. */
  timesMax: number
}

const KIB = 1024
/** More rows than the room that the log of the database has allocated. */
const MANY = 1500

async function openUpload({ client, ledger }: DiskSite, bytes: Buffer, title: string) {
  const opened = await client.initialize({ title, size: bytes.length })
  if (opened?.status !== 201) throw new Error(`initialize answered ${opened?.status} with room.`)
  const { uploadId } = opened.json<{ uploadId: string }>()
  ledger.upload(uploadId)
  return uploadId
}

async function sendAll(site: DiskSite, bytes: Buffer, title: string): Promise<string> {
  const uploadId = await openUpload(site, bytes, title)
  for (let index = 0; index < Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES); index++) {
    await site.client.chunk(uploadId, index, bytes)
    site.ledger.chunk(uploadId, index)
  }
  return uploadId
}

function initialize(name: string, freeBytes: number): DiskPoint {
  return {
    ...{ name, freeBytes, timesMax: 1 },
    prepare: async ({ client, material }, mark) => {
      let uploadId: string | undefined
      return async () => {
        if (uploadId) await client.call('upload.cancel', { uploadId })
        const answer = await client.initialize({ title: mark, size: material.clip.length })
        if (answer?.status === 201) uploadId = answer.json<{ uploadId: string }>().uploadId
        if (uploadId) await client.call('upload.cancel', { uploadId })
        return answer
      }
    },
  }
}

function chunk(name: string, freeBytes: number): DiskPoint {
  return {
    ...{ name, freeBytes, timesMax: 1 },
    prepare: async (site, mark) => {
      const { clip } = site.material
      const uploadId = await openUpload(site, clip, mark)
      return async () => {
        const answer = await site.client.chunk(uploadId, 0, clip)
        if (answer?.status !== 200) return answer
        site.ledger.chunk(uploadId, 0)
        await site.client.call('upload.cancel', { uploadId })
        return answer
      }
    },
  }
}

function complete(name: string, kind: 'clip' | 'needsTranscode', freeBytes: number): DiskPoint {
  return {
    ...{ name, freeBytes, timesMax: 1 },
    prepare: async (site, mark) => {
      const uploadId = await sendAll(site, site.material[kind], mark)
      return async () => {
        const answer = await site.client.complete(uploadId)
        if (answer?.status === 200) {
          site.ledger.video(answer.json<{ videoId: number }>().videoId, mark)
        }
        return answer
      }
    },
  }
}

/** Work that goes on in the background while the disk is full, and afterwards. */
const processing: DiskPoint = {
  ...{ name: 'a video being prepared', freeBytes: 0, timesMax: 0 },
  prepare: async (site, mark) => {
    const uploadId = await sendAll(site, site.material.needsTranscode, mark)
    const answer = await site.client.complete(uploadId)
    site.ledger.video(answer?.json<{ videoId: number }>().videoId ?? 0, mark)
    return () => site.client.complete(uploadId)
  },
}

const thumbnail: DiskPoint = {
  ...{ name: 'a thumbnail', freeBytes: 0, timesMax: 1 },
  prepare: async (site, mark) => {
    const uploadId = await openUpload(site, site.material.clip, mark)
    return async () => {
      const answer = await site.client.thumbnail(uploadId, site.material.pictures[0])
      if (answer?.status === 200) await site.client.call('upload.cancel', { uploadId })
      return answer
    }
  },
}

const pictures: DiskPoint[] = [
  {
    ...{ name: 'an avatar', freeBytes: 0, timesMax: 1 },
    prepare:
      async ({ client, material }) =>
      () =>
        client.avatar(material.pictures[0]),
  },
  {
    ...{ name: 'an avatar, with some room', freeBytes: 8 * KIB, timesMax: 20 },
    prepare:
      async ({ client, material }) =>
      () =>
        client.avatar(material.pictures[1]),
  },
  {
    ...{ name: 'the picture of a video', freeBytes: 0, timesMax: 1 },
    prepare:
      async ({ client, material, videoId }) =>
      () =>
        client.poster(videoId, material.pictures[0]),
  },
  {
    ...{ name: 'captions', freeBytes: 0, timesMax: 1 },
    prepare:
      async ({ client, videoId }) =>
      () =>
        client.captions(videoId, 'de', 'WEBVTT\n\n00:01.000 --> 00:02.000\nGut\n'),
  },
]

/** Rows fit until the log of the database has used up what it had. */
const rows: DiskPoint[] = [
  ...[0, 16 * KIB, 256 * KIB].map(
    (freeBytes): DiskPoint => ({
      ...{ name: `comments, with ${freeBytes / KIB} KiB`, freeBytes, timesMax: MANY },
      prepare:
        async ({ client, ledger, videoId }, mark) =>
        async (time) => {
          const content = `${mark} ${time} ${'x'.repeat(900)}`
          const answer = await client.comment(videoId, content)
          if (answer?.status === 200) ledger.comment(resultOf<{ id: number }>(answer).id, content)
          return answer
        },
    }),
  ),
  {
    ...{ name: 'likes', freeBytes: 0, timesMax: MANY },
    prepare:
      async ({ client, videoId }) =>
      (time) =>
        client.rate({ videoId }, time % 2 === 0),
  },
  {
    ...{ name: 'playlists', freeBytes: 0, timesMax: MANY },
    prepare:
      async ({ client }, mark) =>
      (time) =>
        client.call('playlist.create', { title: `${mark} ${time}`, isPublic: false }),
  },
  {
    ...{ name: 'a profile', freeBytes: 0, timesMax: MANY },
    prepare:
      async ({ client }) =>
      (time) =>
        client.call('settings.editProfile', { bio: `${time} `.repeat(150).trim().slice(0, 900) }),
  },
  {
    ...{ name: 'new accounts', freeBytes: 0, timesMax: 60 },
    prepare:
      async ({ client }) =>
      (time) =>
        client.registerAnother(`full-${Date.now()}-${time}`),
  },
]

/** Where a disk is full: every kind of write, with no room at all and with too little. */
export const DISK_POINTS: DiskPoint[] = [
  initialize('an upload begun, with less than is reserved', 20 * 1024 * KIB),
  initialize('an upload begun', 0),
  chunk('a chunk', 0),
  chunk('a chunk, with room for half of it', 1024 * KIB),
  chunk('a chunk, with room for nearly all of it', 2040 * KIB),
  complete('the completion of a video that plays', 'clip', 0),
  complete('the same, with some room', 'clip', 16 * KIB),
  complete('the completion of a video that has to be encoded', 'needsTranscode', 0),
  processing,
  thumbnail,
  ...pictures,
  ...rows,
]
