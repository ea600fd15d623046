import { posix } from 'node:path'
import { z } from 'zod'
import { AppError, CommandError } from '#server/platform/errors.ts'
import { PLAYLIST_DESCRIPTION_MAX, PLAYLIST_TITLE_MAX } from '#shared/limits.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { countOf } from '#shared/text/format.ts'
import { UNSHOWABLE_CHARACTERS } from '#shared/text/shown-text.ts'
import { parseBounded } from '../backup/bounded-json.ts'
import { oneLine } from './describe-video.ts'
import { eraseFields } from './erase-fields.ts'
import { openForeignArchive } from './foreign-archive.ts'
import type {
  ForeignArchive,
  ForeignLibrary,
  ForeignPlaylist,
  ForeignProblem,
  ForeignVideo,
  ImportSource,
} from './foreign-library.ts'
import { readForeignFile } from './foreign-library.ts'
import {
  JSON_FOLDER,
  type PeertubeChannel,
  type PeertubePlaylist,
  type PeertubeVideo,
  PLAYLIST_PRIVACY,
  PLAYLIST_TYPE,
  peertubeChannelSchema,
  peertubePlaylistSchema,
  peertubeVideoSchema,
  SECRET_FIELDS,
} from './peertube-format.ts'
import { describePeertubeVideo, nameInReport } from './peertube-video.ts'

const JSON_BYTES_MAX = 64 * 1024 * 1024
/** Of a list in a JSON file. */
const ENTRIES_MAX = 100_000
const NO_FILE = 'The archive was made without its file. Export it again with the video files.'
const IS_LIVE = 'It is a live stream. Only recordings can be imported.'

export const peertube: ImportSource = {
  usage: 'ARCHIVE.zip|FOLDER',

  async read({ path, categories, disk }) {
    const archive = await openForeignArchive(path, { disk })
    try {
      const library = await readLibrary(archive, categories)
      if (!library) throw new CommandError(`${path} is not an archive of PeerTube.`)
      return { ...library, close: archive.close }
    } catch (error) {
      await archive.close()
      if (!(error instanceof AppError)) throw error
      throw new CommandError(`${path} cannot be imported: ${error.message}`)
    }
  },
}

async function readLibrary(
  archive: ForeignArchive,
  categories: readonly string[],
): Promise<ForeignLibrary | undefined> {
  const list = await readList(archive, { file: 'videos', schema: peertubeVideoSchema })
  if (!list) return undefined
  const videos: ForeignVideo[] = []
  const problems: ForeignProblem[] = []
  for (const path of list.damaged) problems.push({ path, sentence: 'Its description is damaged.' })
  for (const video of list.items) {
    const { archiveFiles: files } = video
    if (files?.videoFile) {
      const whole = { ...video, archiveFiles: { ...files, videoFile: files.videoFile } }
      videos.push(describePeertubeVideo(whole, { archive, categories }))
    } else {
      const sentence = video.isLive ? IS_LIVE : NO_FILE
      problems.push({ path: nameInReport(video, ''), sentence })
    }
  }
  const timeOf = ({ publishedAt }: ForeignVideo) => publishedAt?.getTime() ?? 0
  videos.sort((one, other) => timeOf(one) - timeOf(other))
  return { videos, problems, ...(await readRest(archive, list.items)) }
}

async function readRest(
  archive: ForeignArchive,
  videos: PeertubeVideo[],
): Promise<Pick<ForeignLibrary, 'playlists' | 'notes'>> {
  const notes: string[] = []
  const channels = await readList(archive, { file: 'channels', schema: peertubeChannelSchema })
  const lists = await readList(archive, {
    ...{ file: 'video-playlists', field: 'videoPlaylists', schema: peertubePlaylistSchema },
  })
  const comments = await readList(archive, { file: 'comments', schema: z.unknown() })
  const idOf = new Map(videos.map(({ url, uuid }) => [url, uuid]))
  const playlists: ForeignPlaylist[] = []
  for (const list of lists?.items ?? []) {
    const ids = list.elements.flatMap(({ videoUrl }) => idOf.get(videoUrl) ?? [])
    const missing = list.elements.length - ids.length
    const title = titleOf(list.displayName)
    if (missing > 0) {
      notes.push(`The playlist "${title}" comes without ${countOf(missing, 'video')} of others.`)
    }
    if (ids.length > 0) playlists.push(describePlaylist({ ...list, displayName: title }, ids))
  }
  playlists.push(...describeChannels(channels?.items ?? [], { videos, playlists }))
  const count = comments?.items.length ?? 0
  if (count > 0) {
    notes.push(`${countOf(count, 'comment')} cannot come: the archive has no comments of others.`)
  }
  return { playlists, notes }
}

function describePlaylist(list: PeertubePlaylist, videoIds: string[]): ForeignPlaylist {
  const { privacy } = list
  const { public: isPublic, unlisted } = PLAYLIST_PRIVACY
  return {
    title: list.displayName,
    description: descriptionOf(list.description),
    visibility: privacy === isPublic ? 'public' : privacy === unlisted ? 'unlisted' : 'private',
    isWatchLater: list.type === PLAYLIST_TYPE.watchLater,
    videoIds: [...new Set(videoIds)],
  }
}

/** A member has one channel here, so that each of several channels becomes a playlist. */
function describeChannels(
  channels: PeertubeChannel[],
  { videos, playlists }: { videos: PeertubeVideo[]; playlists: ForeignPlaylist[] },
): ForeignPlaylist[] {
  const videosOf = Map.groupBy(videos, ({ channel }) => channel?.name)
  const titles = new Set(playlists.map(({ title }) => title))
  const idsOf = ({ name }: PeertubeChannel) => (videosOf.get(name) ?? []).map(({ uuid }) => uuid)
  const used = channels.filter((channel) => idsOf(channel).length > 0)
  if (used.length < 2) return []
  return used.map((channel): ForeignPlaylist => {
    const title = titleOf(channel.displayName || channel.name)
    return {
      title: titles.has(title) ? titleOf(`Channel ${title}`) : title,
      description: descriptionOf(channel.description),
      ...{ visibility: 'public', isWatchLater: false, videoIds: idsOf(channel) },
    }
  })
}

const titleOf = (text: string) => cutText(oneLine(text), PLAYLIST_TITLE_MAX).trim() || 'Playlist'
const descriptionOf = (text: string) =>
  cutText(text.replaceAll(UNSHOWABLE_CHARACTERS, ''), PLAYLIST_DESCRIPTION_MAX).trim()

/**
 * Reads the list in a JSON file of the archive.
 * @returns undefined if there is no such file
 * @throws AppError
 */
async function readList<Item>(
  archive: ForeignArchive,
  { file, field = file, schema }: { file: string; field?: string; schema: z.ZodType<Item> },
): Promise<{ items: Item[]; damaged: string[] } | undefined> {
  const name = posix.join(JSON_FOLDER, `${file}.json`)
  const bytes = await readForeignFile(() => archive.find(name), JSON_BYTES_MAX).catch((error) => {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error instanceof AppError ? new AppError(error.kind, `${name}: ${error.message}`) : error
  })
  if (!bytes) return undefined
  eraseFields(bytes, SECRET_FIELDS)
  const whole = z.object({ [field]: z.array(z.unknown()) }).safeParse(parseBounded(bytes))
  if (!whole.success) throw new AppError('invalid', `${name} is damaged.`)
  const values = whole.data[field] ?? []
  if (values.length > ENTRIES_MAX) {
    const sentence = `it has more than ${ENTRIES_MAX.toLocaleString('en')} entries.`
    throw new AppError('too-large', `${name}: ${sentence}`)
  }
  const items: Item[] = []
  const damaged: string[] = []
  for (const [index, value] of values.entries()) {
    const item = schema.safeParse(value)
    if (item.success) items.push(item.data)
    else damaged.push(`${name}, entry ${index + 1}`)
  }
  return { items, damaged }
}
