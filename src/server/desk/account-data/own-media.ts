import type { Database } from '#server/platform/db/database.ts'
import { type MediaStore, SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { listCaptionsOf } from '#server/video/caption/caption.queries.ts'
import { fileIn } from '#server/video/video/media-address.ts'
import { endingOf, folderOf } from './archive-paths.ts'
import type { ExportFile } from './data-export.queries.ts'
import { listMomentsOf, listOwnClips, listOwnVideos } from './own-media.queries.ts'
import type { DataRow } from './table-section.queries.ts'

type Deps = { db: Database; media: MediaStore }
/** A row of `account.json`, and its files in the archive. */
export type Described = { row: DataRow; files: ExportFile[] }

const AT_A_TIME = 50

export type OwnVideo = Awaited<ReturnType<typeof listOwnVideos>>[number] & {
  captions: Awaited<ReturnType<typeof listCaptionsOf>>
  moments: Awaited<ReturnType<typeof listMomentsOf>>
  /** Sizes in bytes by name. */
  stored: Map<string, number>
}

export async function* readOwnVideos(
  { db, media }: Deps,
  { person }: { person: Viewer },
): AsyncGenerator<OwnVideo> {
  const { id: userId } = person
  for (let afterId = 0; ; ) {
    const videos = await listOwnVideos(db, { userId, afterId, limit: AT_A_TIME })
    const last = videos.at(-1)
    if (!last) return
    afterId = last.id
    for (const video of videos) {
      yield {
        ...video,
        captions: await listCaptionsOf(db, video.id),
        moments: await listMomentsOf(db, { videoId: video.id, userId }),
        stored: await listSizes(media, video.mediaKey),
      }
    }
  }
}

/** The original of a video or, if it is not stored, the file that plays. */
export function findBestFile({ stored, videoUrl, fileName }: OwnVideo) {
  if (stored.has(SOURCE_FILE)) return { name: SOURCE_FILE, ending: endingOf(fileName ?? '') }
  const name = fileIn(videoUrl)
  return { name, ending: endingOf(name ?? '') }
}

/** The files are the best of the video, its picture and captions. */
export async function* describeVideos(
  deps: Deps,
  { person }: { person: Viewer },
): AsyncGenerator<Described> {
  for await (const video of readOwnVideos(deps, { person })) {
    const { mediaKey, videoUrl: _, thumbnailUrl, tags, captions, moments, stored, ...rest } = video
    const best = findBestFile(video)
    const picture = fileIn(thumbnailUrl)
    const files = filesOf({ mediaKey, folder: folderOf('videos', video), stored }, [
      { name: best.name, as: `${best.name === SOURCE_FILE ? 'original' : 'video'}${best.ending}` },
      { name: picture, as: `picture${endingOf(picture ?? '')}` },
      ...captions.map(({ file }, index) => ({ name: file, as: `captions-${index + 1}.vtt` })),
    ])
    const row = {
      ...rest,
      tags: JSON.parse(tags),
      captions: captions.map(({ file: _, ...caption }) => caption),
      chapters: moments,
      files: files.map(({ path }) => path),
    }
    yield { row, files }
  }
}

/** Only clips whose video the member may see have files. */
export async function* describeClips(
  { db, media }: Deps,
  { person }: { person: Viewer },
): AsyncGenerator<Described> {
  for (let afterId = 0; ; ) {
    const clips = await listOwnClips(db, { viewer: person, afterId, limit: AT_A_TIME })
    const last = clips.at(-1)
    if (!last) return
    afterId = last.id
    for (const { mediaKey, shareFile, pictureFile, ...clip } of clips) {
      const hasFile = mediaKey !== null && (shareFile !== null || pictureFile !== null)
      const stored = hasFile ? await listSizes(media, mediaKey) : new Map<string, number>()
      const folder = folderOf('clips', clip)
      const files = filesOf({ mediaKey: mediaKey ?? '', folder, stored }, [
        { name: shareFile, as: `clip${endingOf(shareFile ?? '')}` },
        { name: pictureFile, as: `picture${endingOf(pictureFile ?? '')}` },
      ])
      yield { row: { ...clip, files: files.map(({ path }) => path) }, files }
    }
  }
}

/** @returns the avatar and the banner, at paths such as `profile/avatar.webp` */
export async function listPictures(
  { media }: Pick<Deps, 'media'>,
  urls: { avatar: string | null; banner: string | null },
): Promise<ExportFile[]> {
  const found: ExportFile[] = []
  for (const [kind, url] of Object.entries(urls)) {
    const [, , mediaKey, name] = url?.split('/') ?? []
    if (!mediaKey || !name) continue
    const stored = await listSizes(media, mediaKey)
    const as = `${kind}${endingOf(name)}`
    found.push(...filesOf({ mediaKey, folder: 'profile', stored }, [{ name, as }]))
  }
  return found
}

async function listSizes(media: MediaStore, mediaKey: string): Promise<Map<string, number>> {
  const prefix = storeKey(mediaKey)
  const sizes = new Map<string, number>()
  for await (const { key, bytes } of media.list(prefix)) sizes.set(key.slice(prefix.length), bytes)
  return sizes
}

export function filesOf(
  { mediaKey, folder, stored }: { mediaKey: string; folder: string; stored: Map<string, number> },
  wanted: { name: string | null; as: string }[],
): ExportFile[] {
  return wanted.flatMap(({ name, as }) => {
    const bytes = name === null ? undefined : stored.get(name)
    if (name === null || bytes === undefined) return []
    return [{ path: `${folder}/${as}`, mediaKey, name, bytes, crc32: 0 }]
  })
}
