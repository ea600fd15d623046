import type { PageInput } from '#shared/field.schemas.ts'
import type { Category } from '#shared/limits.ts'
import type { Video } from '#shared/video.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { record } from '../db/changes.ts'
import { type Database, followChanges } from '../db/database.ts'
import { createKept } from '../db/kept.ts'
import { type Pieces, readyAnswer, readyPage } from '../ready-answer.ts'
import { listOpinions, type Opinions } from './opinion.queries.ts'
import { canManage, canSeeOwner } from './video.access.ts'
import {
  findVideo,
  findVideoRow,
  listPublicRows,
  toVideo,
  type VideoSelection,
} from './video.queries.ts'
import { listPublicVideos, listVideos } from './video-lists.queries.ts'

const LISTS_BYTES_MAX = 8 * 1024 * 1024
/** Some 15,000 videos: each search finds others. */
const VIDEOS_BYTES_MAX = 24 * 1024 * 1024
const MEMBERS_BYTES_MAX = 8 * 1024 * 1024
/** What a video costs beside its text. */
const VIDEO_BYTES = 100
const MEMBER_BYTES = 1000
/** Somebody who may know whose every video is. */
const MANAGER: Viewer = { id: 0, username: '', displayName: '', isAdmin: true }

type Asking = { viewer: Viewer | undefined }

/** A public video as JSON up to what depends on who asks: whether they follow and rated it. */
type Shared = { id: number; channelId: number | undefined; text: string }
type ReadyVideo = Shared & {
  ownerId: number
  /** As its owner and admins see it, where that is different. */
  managed?: Shared
}
type ReadyList = { videos: ReadyVideo[]; nextCursor: string | null; visitors?: string }
/** What a member thinks of a list, and the list as it was written for them last. */
type Member = { opinions: Opinions; bytes: number; written?: { list: ReadyList; items: string } }

type Store = ReturnType<typeof createStore>
const stores = new WeakMap<Database, Store>()

function createStore(db: Database) {
  const changes = followChanges(db)
  const bytesOfVideos = (videos: ReadyVideo[]) =>
    videos.reduce((sum, { text }) => sum + VIDEO_BYTES + bytesOfText(text), 0)
  return {
    lists: createKept<ReadyList>(changes, {
      bytesMax: LISTS_BYTES_MAX,
      bytesOf: ({ videos }) => bytesOfVideos(videos),
    }),
    videos: createKept<ReadyVideo | null>(changes, {
      bytesMax: VIDEOS_BYTES_MAX,
      bytesOf: (video) => (video ? bytesOfVideos([video]) : 0),
    }),
    members: createKept<Member>(changes, {
      bytesMax: MEMBERS_BYTES_MAX,
      bytesOf: ({ bytes }) => bytes,
    }),
  }
}

const BEYOND_LATIN = /[^\0-\xff]/

/** What the engine takes for it: two bytes each as soon as one character needs them. */
function bytesOfText(text: string): number {
  return text.length * (BEYOND_LATIN.test(text) ? 2 : 1)
}

function storeOf(db: Database): Store {
  const known = stores.get(db)
  if (known) return known
  const store = createStore(db)
  stores.set(db, store)
  return store
}

type ListInput = PageInput & { category?: Category | undefined }

/** Public videos, newest first, as `listVideos` finds them; what everybody sees alike is read once. */
export async function listReadyVideos(db: Database, input: ListInput & Asking) {
  const { viewer, category, limit, cursor } = input
  const key = JSON.stringify([category, limit, cursor])
  const list = await storeOf(db).lists.read(key, () =>
    listPublicVideos(db, input, toReadyVideo).then(({ items, nextCursor }) => ({
      videos: items,
      nextCursor,
    })),
  )
  const { videos, nextCursor } = list
  if (!viewer) {
    list.visitors ??= `[${videos.map((video) => write(video, undefined)).join()}]`
    return readyPage<Video>({ items: [list.visitors], nextCursor })
  }
  const member = await readMember(db, { viewer, videos, key })
  const { opinions } = member
  // Others take their places.
  if (opinions.hidden.size > 0) return listVideos(db, input)
  if (member.written?.list !== list) {
    const items = videos.map((video) => write(shownTo(viewer, video), opinions))
    member.written = { list, items: `[${items.join()}]` }
  }
  return readyPage<Video>({ items: [member.written.items], nextCursor })
}

/** A video as `findVideo` finds it; what everybody sees alike is read once. */
export async function findReadyVideo(
  db: Database,
  { id, viewer }: Asking & { id: number },
): Promise<Video | undefined> {
  const ready = await storeOf(db).videos.read(`${id}`, async () => {
    const row = await findVideoRow(db, { id, viewer: undefined })
    return row ? toReadyVideo(row) : null
  })
  if (!ready) return viewer && findVideo(db, { id, viewer })
  if (!viewer) return toAnswer(write(ready, undefined))
  const { opinions } = await readMember(db, { viewer, videos: [ready], key: `${id}` })
  return toAnswer(write(shownTo(viewer, ready), opinions))
}

function toAnswer(text: string): Video {
  return readyAnswer(JSON.parse(text) as Video, text)
}

/** Those of `ids` that everybody may see, in their order, as the JSON of a list for `viewer`, in pieces. */
export async function writeVideosById(
  db: Database,
  { ids, viewer }: Asking & { ids: number[] },
): Promise<Pieces> {
  const found = await readPublicVideos(db, ids)
  const videos = ids.map((id) => found.get(id)).filter((video) => video !== undefined)
  const member = viewer && (await readMember(db, { viewer, videos, key: 'named' }))
  const pieces: string[] = []
  for (const video of videos) {
    const shown = viewer ? shownTo(viewer, video) : video
    pieces.push(pieces.length > 0 ? ',' : '[', shown.text, writeEnd(shown, member?.opinions))
  }
  return pieces.length > 0 ? [...pieces, ']'] : ['[]']
}

async function readPublicVideos(db: Database, ids: number[]): Promise<Map<number, ReadyVideo>> {
  const { videos } = storeOf(db)
  const found = new Map<number, ReadyVideo>()
  for (const id of ids) {
    const ready = videos.use(`${id}`)
    if (ready) found.set(id, ready)
  }
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const rows = await record(followChanges(db), () => listPublicRows(db, missing))
  for (const row of rows.value) {
    const value = toReadyVideo(row)
    // Of what was read with others each is about itself alone.
    const reading = { ...rows.reading, counted: new Set([row.id]) }
    videos.keep(`${row.id}`, { value, reading })
    found.set(row.id, value)
  }
  return found
}

function toReadyVideo(row: VideoSelection): ReadyVideo {
  const ready = { ...toShared(toVideo(row, undefined)), ownerId: row.userId }
  const isSame = canSeeOwner(row, undefined) && row.rejectionReason === null
  return isSame ? ready : { ...ready, managed: toShared(toVideo(row, MANAGER)) }
}

/** What is written here is typed field by field: the schema would take half of the time. */
function toShared({ channel, myRating: _, ...fields }: Video): Shared {
  const open = channel ? JSON.stringify(channel).slice(0, -1) : 'null'
  const text = `${JSON.stringify(fields).slice(0, -1)},"channel":${open}`
  return { id: fields.id, channelId: channel?.id, text }
}

function shownTo(viewer: Viewer, ready: ReadyVideo): Shared {
  const { managed, ownerId } = ready
  return managed && canManage({ userId: ownerId }, viewer) ? managed : ready
}

function write(video: Shared, opinions: Opinions | undefined): string {
  return video.text + writeEnd(video, opinions)
}

/** Ends the JSON of a video with what depends on who asks; visitors think nothing. */
function writeEnd({ id, channelId }: Shared, opinions: Opinions | undefined): string {
  const rating = opinions?.ratings.get(id)
  const myRating = rating ? `,"myRating":"${rating}"}` : ',"myRating":null}'
  if (channelId === undefined) return myRating
  const follows = opinions ? `,"isSubscribed":${opinions.followed.has(channelId)}` : ''
  return `${follows}}${myRating}`
}

function readMember(
  db: Database,
  { viewer, videos, key }: { viewer: Viewer; videos: ReadyVideo[]; key: string },
): Promise<Member> {
  const videoIds = videos.map(({ id }) => id)
  const channelIds = videos.map(({ ownerId }) => ownerId)
  const length = videos.reduce((sum, { text }) => sum + text.length, 0)
  return storeOf(db).members.read(
    `${viewer.id} ${viewer.isAdmin} ${key} ${videoIds}`,
    async () => ({
      opinions: await listOpinions(db, { userId: viewer.id, videoIds, channelIds }),
      bytes: MEMBER_BYTES + length,
    }),
  )
}
