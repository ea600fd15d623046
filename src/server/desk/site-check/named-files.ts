import type { Database } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { fileIn } from '#server/video/video/media-address.ts'

type NamedFile = {
  /** Below `media/`. */
  path: string
  /** Such as 'the video file of video 7 "A clip"'. */
  what: string
  bytes: number | null
}

export const KINDS: Record<MediaFilesTable['kind'], string> = {
  video: 'a video file',
  rendition: 'a rendition',
  playlist: 'an HLS playlist',
  sound: 'a sound track',
  picture: 'a picture',
  storyboard: 'a part of the storyboard',
  share: 'the shared file',
  captions: 'captions',
}

export async function listNamedFiles(db: Database): Promise<NamedFile[]> {
  const files = new Map<string, NamedFile>()
  for (const file of [...(await listAddressedFiles(db)), ...(await listServedFiles(db))]) {
    const known = files.get(file.path)
    files.set(file.path, { ...file, what: known?.what ?? file.what })
  }
  return [...files.values()]
}

async function listServedFiles(db: Database): Promise<NamedFile[]> {
  const files = await db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['videos.id', 'videos.title', 'videos.mediaKey'])
    .select(['mediaFiles.name', 'mediaFiles.kind', 'mediaFiles.bytes'])
    .where('videos.processingState', '<>', 'deleting')
    .where('mediaFiles.retiredAt', 'is', null)
    .execute()
  return files.map(({ mediaKey, name, kind, bytes, ...video }) => ({
    path: `${mediaKey}/${name}`,
    what: `${KINDS[kind]} of ${describeVideo(video)}`,
    bytes,
  }))
}

async function listAddressedFiles(db: Database): Promise<NamedFile[]> {
  const videos = await db
    .selectFrom('videos')
    .select(['id', 'title', 'mediaKey', 'videoUrl', 'thumbnailUrl'])
    .where('processingState', '<>', 'deleting')
    .execute()
  const waiting = await db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select(['videos.id', 'videos.title', 'videos.mediaKey'])
    .where('jobs.state', 'in', ['queued', 'running'])
    .where('videos.processingState', '=', 'processing')
    .execute()
  const captions = await db
    .selectFrom('captions')
    .innerJoin('videos', 'videos.id', 'captions.videoId')
    .select(['videos.id', 'videos.title', 'videos.mediaKey', 'captions.label', 'captions.file'])
    .where('videos.processingState', '<>', 'deleting')
    .execute()
  return [
    ...(await listPictures(db)),
    ...videos.flatMap((video) => [
      ...namedBy(video, {
        address: video.videoUrl,
        what: `the video file of ${describeVideo(video)}`,
      }),
      ...namedBy(video, {
        address: video.thumbnailUrl,
        what: `the picture of ${describeVideo(video)}`,
      }),
    ]),
    ...waiting.map((video) => ({
      path: `${video.mediaKey}/${SOURCE_FILE}`,
      what: `the uploaded file of ${describeVideo(video)}, which still has to be prepared`,
      bytes: null,
    })),
    ...captions.map(({ mediaKey, file, label, ...video }) => ({
      path: `${mediaKey}/${file}`,
      what: `the captions "${label}" of ${describeVideo(video)}`,
      bytes: null,
    })),
  ]
}

export async function listPictures(db: Database): Promise<NamedFile[]> {
  const members = await db
    .selectFrom('users')
    .select(['username', 'avatarUrl', 'bannerUrl'])
    .where((eb) => eb.or([eb('avatarUrl', 'is not', null), eb('bannerUrl', 'is not', null)]))
    .execute()
  const site = await db.selectFrom('siteSettings').select('logoUrl').executeTakeFirst()
  // A backup that an older version wrote does not have the table `gameLooks`.
  const tables = await db.introspection.getTables()
  const games = tables.some(({ name }) => name === 'gameLooks')
    ? await db.selectFrom('gameLooks').select(['category', 'artUrl']).execute()
    : []
  return [
    ...games.flatMap(({ category, artUrl }) => named(artUrl, `the art of ${category}`)),
    ...named(site?.logoUrl ?? null, "the site's logo"),
    ...members.flatMap(({ username, avatarUrl, bannerUrl }) => [
      ...named(avatarUrl, `the avatar of ${username}`),
      ...named(bannerUrl, `the banner of ${username}`),
    ]),
  ]
}

/** Without videos in deletion. */
export async function listMediaKeys(db: Database): Promise<Set<string>> {
  const videos = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('processingState', '<>', 'deleting')
    .execute()
  const files = await listNamedFiles(db)
  return new Set([
    ...videos.map((video) => video.mediaKey),
    ...files.map((file) => file.path.slice(0, file.path.indexOf('/'))),
  ])
}

export function describeVideo(video: { id: number; title: string }): string {
  return `video ${video.id} "${video.title}"`
}

/** Its public address may lack the folder. */
function namedBy(
  { mediaKey }: { mediaKey: string },
  { address, what }: { address: string | null; what: string },
): NamedFile[] {
  const file = fileIn(address)
  return file === null ? [] : [{ path: `${mediaKey}/${file}`, what, bytes: null }]
}

/** Ignores addresses of other sites. */
function named(address: string | null, what: string): NamedFile[] {
  const path = address?.match(/^\/media\/([^/]+\/.+)$/)?.[1]
  return path ? [{ path, what, bytes: null }] : []
}
