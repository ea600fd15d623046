/** The archive that PeerTube's user import reads. See docs/decisions/0088-export-for-peertube.md. */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { crc32 } from 'node:zlib'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import { fileIn } from '#server/video/video/media-address.ts'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import {
  COMMENTS,
  GAMING,
  JSON_FOLDER,
  PLAYLIST_PRIVACY,
  PLAYLIST_TYPE,
  PRIVACY,
} from '../import/peertube-format.ts'
import { endingOf } from './archive-paths.ts'
import type { ExportDeps, ExportInput } from './clutch-export.ts'
import type { ExportFile } from './data-export.queries.ts'
import {
  type Described,
  filesOf,
  findBestFile,
  listPictures,
  type OwnVideo,
  readOwnVideos,
} from './own-media.ts'
import { readPlaylists } from './section-readers.queries.ts'
import type { DataRow } from './table-section.queries.ts'
import { ExportLostError, type ExportWriter } from './write-export.ts'

/** A private level also stands for a squad and for named members. */
const LEVELS: Record<Visibility, number> = {
  public: PRIVACY.public,
  members: PRIVACY.internal,
  unlisted: PRIVACY.unlisted,
  private: PRIVACY.private,
}
const PLAYLIST_LEVELS: Record<string, number> = {
  public: PLAYLIST_PRIVACY.public,
  unlisted: PLAYLIST_PRIVACY.unlisted,
}
const CHAPTER_TITLE_MAX = 100
const PUBLISHED = 1
/** PeerTube tells these apart by script. It knows other languages without a region. */
const SCRIPTS = ['zh-Hans', 'zh-Hant']
/** PeerTube's import reads these too. Empty ones change nothing there. */
const EMPTY_FILES = {
  'user-settings': { notificationSettings: {} },
  blocklist: { instances: [], actors: [] },
  following: { following: [] },
  likes: { likes: [] },
  dislikes: { dislikes: [] },
  'video-history': { watchedVideos: [] },
  'watched-words-lists': { watchedWordLists: [] },
  'automatic-tag-policies': {},
}

export async function writePeertubeExport(deps: ExportDeps, input: ExportInput): Promise<void> {
  const { db } = deps
  const { writer, person, described } = input
  const origin = deps.config.publicUrl ?? 'http://localhost'
  const channel = `${person.username.toLowerCase().replaceAll(/[^a-z0-9_]/g, '_')}_channel`
  await writeFile(writer, 'videos', () =>
    writer.addList('videos', described(describeVideos(deps, { person, origin, channel }))),
  )
  await writeActors(deps, { ...input, origin, channel })
  await writeFile(writer, 'video-playlists', () =>
    writer.addList('videoPlaylists', describePlaylists(readPlaylists(db, person))),
  )
  for (const [name, fields] of Object.entries(EMPTY_FILES)) {
    await writeFile(writer, name, async () => {
      for (const [field, value] of Object.entries(fields)) await writer.add(field, value)
    })
  }

  async function* describePlaylists(pages: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow> {
    for await (const lists of pages) {
      for (const list of lists) yield describePlaylist(list, { origin, channel })
    }
  }
}

async function writeFile(writer: ExportWriter, name: string, write: () => Promise<void>) {
  writer.beginFile(posix.join(JSON_FOLDER, `${name}.json`))
  await write()
  await writer.endFile()
}

/** A member is an account with one channel. */
async function writeActors(
  deps: ExportDeps,
  { writer, profile, origin, channel }: ExportInput & { origin: string; channel: string },
): Promise<void> {
  const { username, displayName, bio, createdAt, avatarUrl, bannerUrl } = profile
  const pictures = await listPictures(deps, { avatar: avatarUrl, banner: bannerUrl })
  const isBanner = ({ path }: ExportFile) => path.includes('/banner.')
  const place = (owner: string, name: string, file: ExportFile) => {
    const kind = isBanner(file) ? 'banners' : 'avatars'
    return { ...file, path: `files/${owner}/${kind}/${name}${posix.extname(file.path)}` }
  }
  const files = await withChecksums(deps, [
    ...pictures.map((file) => place('channels', channel, file)),
    ...pictures.filter((file) => !isBanner(file)).map((file) => place('account', username, file)),
  ])
  writer.addFiles(files)
  const pathOf = (start: string) =>
    pathFromJson(files.find(({ path }) => path.startsWith(`files/${start}/`)))
  const texts = { displayName, description: orNull(bio), createdAt, updatedAt: createdAt }
  const url = `${origin}/channel/${profile.id}`
  const avatar = pathOf('channels/avatars')
  const images = {
    avatars: [],
    banners: [],
    archiveFiles: { avatar, banner: pathOf('channels/banners') },
  }
  const channels = [{ url, name: channel, ...texts, support: null, ...images }]
  await writeFile(writer, 'channels', () => writer.add('channels', channels))
  const archiveFiles = { avatar: pathOf('account/avatars') }
  const account = { url, name: username, ...texts, avatars: [], archiveFiles }
  await writeFile(writer, 'account', async () => {
    for (const [field, value] of Object.entries(account)) await writer.add(field, value)
  })
}

/** Leaves out videos without a file, which PeerTube cannot import. */
async function* describeVideos(
  deps: ExportDeps,
  { person, ...place }: { person: ExportInput['person']; origin: string; channel: string },
): AsyncGenerator<Described> {
  for await (const video of readOwnVideos(deps, { person })) {
    const uuid = uuidOf(video.mediaKey)
    const found = filesOfVideo(video, uuid)
    if (!found.some(({ path }) => path.startsWith('files/videos/video-files/'))) continue
    const files = await withChecksums(deps, found)
    yield { row: describeVideo(video, { ...place, uuid, files }), files }
  }
}

function filesOfVideo(video: OwnVideo, uuid: string): ExportFile[] {
  const { mediaKey, thumbnailUrl, stored } = video
  const best = findBestFile(video)
  const picture = fileIn(thumbnailUrl)
  const captions = captionsByLanguage(video).map(({ file, language }) => ({
    ...{ name: file, as: `captions/${uuid}-${language}.vtt` },
  }))
  return filesOf({ mediaKey, folder: 'files/videos', stored }, [
    { name: best.name, as: `video-files/${uuid}${best.ending || '.mp4'}` },
    { name: picture, as: `thumbnails/${uuid}${endingOf(picture ?? '')}` },
    ...captions,
  ])
}

function describeVideo(
  video: OwnVideo,
  input: { uuid: string; origin: string; channel: string; files: ExportFile[] },
): DataRow {
  const { uuid, origin, channel, files } = input
  const { id, title, description, category, publishedAt, visibility, duration, fileName } = video
  const times = { createdAt: publishedAt, updatedAt: publishedAt, publishedAt }
  const tags = JSON.parse(video.tags) as string[]
  const pathOf = (start: string) =>
    pathFromJson(files.find(({ path }) => path.startsWith(`files/videos/${start}`)))
  const captions = captionsByLanguage(video).flatMap(({ language, createdAt }) => {
    const path = pathOf(`captions/${uuid}-${language}.`)
    return path === null ? [] : [{ language, createdAt, path }]
  })
  return {
    // PeerTube's import keeps only the time of the original publication.
    ...{ uuid, ...times, originallyPublishedAt: publishedAt, name: title, category: GAMING },
    ...{ licence: null, language: null },
    tags: category === DEFAULT_CATEGORY ? tags : [category, ...tags],
    // PeerTube names the account of each video that others see.
    privacy: video.isAnonymous === 1 ? PRIVACY.private : LEVELS[visibility],
    ...{ passwords: [], duration, description: orNull(description) },
    ...{ support: null, isLive: false, url: urlOf(origin, id), thumbnailUrl: null },
    ...{ previewUrl: null, views: video.viewCount, likes: video.likeCount },
    ...{ dislikes: video.dislikeCount, nsfw: false },
    commentsPolicy: video.commentsOff === 1 ? COMMENTS.disabled : COMMENTS.enabled,
    ...{ downloadEnabled: video.allowsDownload === 1, channel: { name: channel } },
    ...{ waitTranscoding: true, state: PUBLISHED },
    captions: captions.map(({ language, createdAt, path }) => ({
      ...{ createdAt, updatedAt: createdAt, language, filename: posix.basename(path) },
      ...{ fileUrl: null, automaticallyGenerated: false },
    })),
    chapters: describeChapters(video),
    ...{ files: [], streamingPlaylists: [] },
    source: fileName === null ? null : { inputFilename: fileName },
    archiveFiles: {
      videoFile: pathOf('video-files/'),
      thumbnail: pathOf('thumbnails/'),
      captions: Object.fromEntries(captions.map(({ language, path }) => [language, path])),
    },
  }
}

/** PeerTube has one file of captions for each language. */
function captionsByLanguage({ captions }: OwnVideo) {
  const known = new Map<string, { language: string; file: string; createdAt: string }>()
  for (const { language: tag, file, createdAt } of captions) {
    const language = SCRIPTS.find((one) => tag.startsWith(one)) ?? tag.split('-')[0] ?? tag
    if (!known.has(language)) known.set(language, { language, file, createdAt })
  }
  return [...known.values()]
}

/** PeerTube has one chapter for each whole second. */
function describeChapters({ moments }: OwnVideo): { timecode: number; title: string }[] {
  const known = new Map<number, string>()
  for (const { source, atSeconds, title } of moments) {
    if (source === 'chapter' && title) known.set(Math.floor(atSeconds), title)
  }
  return [...known].map(([timecode, title]) => ({
    ...{ timecode, title: title.slice(0, CHAPTER_TITLE_MAX) },
  }))
}

function describePlaylist(
  list: DataRow,
  { origin, channel }: { origin: string; channel: string },
): DataRow {
  const items = list.items as { videoId: number }[]
  const url = `${origin}/playlist/${list.id}`
  return {
    ...{ displayName: list.title, description: orNull(String(list.description)) },
    privacy: PLAYLIST_LEVELS[String(list.visibility)] ?? PLAYLIST_PRIVACY.private,
    ...{ url, uuid: uuidOf(url) },
    type: list.kind === 'watch-later' ? PLAYLIST_TYPE.watchLater : PLAYLIST_TYPE.regular,
    channel: { name: channel },
    ...{ createdAt: list.createdAt, updatedAt: list.updatedAt, thumbnailUrl: null },
    elements: items.map(({ videoId }) => ({ videoUrl: urlOf(origin, videoId) })),
    archiveFiles: { thumbnail: null },
  }
}

const urlOf = (origin: string, videoId: number) => `${origin}/video/${videoId}`
const orNull = (text: string | null) => text || null
const pathFromJson = (file: ExportFile | undefined) =>
  file === undefined ? null : posix.join('..', file.path)

/** Returns the same random-looking UUID for the same key, so that an import knows what it has imported before. */
function uuidOf(key: string): string {
  const bytes = createHash('sha256').update(`peertube ${key}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A ZIP archive has the checksum of each file before the file, so each is read once. */
async function withChecksums(
  { media, closing }: { media: MediaStore; closing: AbortSignal },
  files: ExportFile[],
): Promise<ExportFile[]> {
  const checked: ExportFile[] = []
  for (const file of files) {
    const body = await media.openRange(storeKey(file.mediaKey, file.name))
    // A file that went away is noticed before the download begins.
    if (!body) continue
    let checksum = 0
    for await (const piece of body) {
      if (closing.aborted) throw new ExportLostError()
      checksum = crc32(piece as Buffer, checksum)
    }
    checked.push({ ...file, crc32: checksum })
  }
  return checked
}
