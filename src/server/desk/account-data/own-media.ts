import type { Database } from '#server/platform/db/database.ts'
import { type MediaStore, SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { fileIn } from '#server/video/video/media-address.ts'
import { endingOf, folderOf } from './archive-paths.ts'
import type { ExportFile } from './data-export.queries.ts'
import { listCaptionsOf, listMomentsOf, listOwnClips, listOwnVideos } from './own-media.queries.ts'
import type { DataRow } from './table-section.queries.ts'

type Deps = { db: Database; media: MediaStore }
/** A row of `account.json`, and its files in the archive. */
export type Described = { row: DataRow; files: ExportFile[] }

const AT_A_TIME = 50

/** The files are the original of a video (or, if it is not stored, the file that plays), its picture and captions. */
export async function* describeVideos(
  { db, media }: Deps,
  { person }: { person: Viewer },
): AsyncGenerator<Described> {
  const { id: userId } = person
  for (let afterId = 0; ; ) {
    const videos = await listOwnVideos(db, { userId, afterId, limit: AT_A_TIME })
    const last = videos.at(-1)
    if (!last) return
    afterId = last.id
    for (const { mediaKey, videoUrl, thumbnailUrl, fileName, tags, ...video } of videos) {
      const captions = await listCaptionsOf(db, video.id)
      const stored = await listSizes(media, mediaKey)
      const folder = folderOf('videos', video)
      const best = fileIn(videoUrl)
      const picture = fileIn(thumbnailUrl)
      const files = filesOf({ mediaKey, folder, stored }, [
        stored.has(SOURCE_FILE)
          ? { name: SOURCE_FILE, as: `original${endingOf(fileName ?? '')}` }
          : { name: best, as: `video${endingOf(best ?? '')}` },
        { name: picture, as: `picture${endingOf(picture ?? '')}` },
        ...captions.map(({ file }, index) => ({ name: file, as: `captions-${index + 1}.vtt` })),
      ])
      const row = {
        ...video,
        fileName,
        tags: JSON.parse(tags),
        captions: captions.map(({ file: _, ...caption }) => caption),
        chapters: await listMomentsOf(db, { videoId: video.id, userId }),
        files: files.map(({ path }) => path),
      }
      yield { row, files }
    }
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

function filesOf(
  { mediaKey, folder, stored }: { mediaKey: string; folder: string; stored: Map<string, number> },
  wanted: { name: string | null; as: string }[],
): ExportFile[] {
  return wanted.flatMap(({ name, as }) => {
    const bytes = name === null ? undefined : stored.get(name)
    if (name === null || bytes === undefined) return []
    return [{ path: `${folder}/${as}`, mediaKey, name, bytes }]
  })
}
