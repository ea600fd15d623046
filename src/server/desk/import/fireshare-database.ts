/** The tables of Fireshare 1.6 to 1.8. Missing columns and tables count as empty. */
import { z } from 'zod'
import { type ForeignTables, readForeignTables } from '#server/platform/db/sqlite/foreign-tables.ts'
import { CommandError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { inTemporaryFolder } from './temporary-file.ts'

const SOURCE_ID_MAX = 64

const flagSchema = z
  .union([z.literal([0, 1]), z.boolean()])
  .nullish()
  .transform((value) =>
    value === null || value === undefined ? undefined : value === 1 || value === true,
  )
const textSchema = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const secondsSchema = z
  .number()
  .nullish()
  .transform((value) => value ?? null)

/** A time without a zone, which is how SQLAlchemy writes it, or undefined. */
const timeSchema = z
  .string()
  .nullish()
  .transform((value) => readTime(value ?? ''))

const videoSchema = z.object({
  video_id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(SOURCE_ID_MAX),
  path: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
  recorded_at: timeSchema,
})
const infoSchema = z.object({
  video_id: z.string(),
  title: textSchema,
  description: textSchema,
  private: flagSchema,
  start_time: secondsSchema,
  end_time: secondsSchema,
  password_hash: textSchema,
})
const linkSchema = z.object({ video_id: z.string(), name: z.int() })
const nameSchema = z.object({ id: z.int(), name: z.string() })

export type FireshareVideo = {
  id: string
  /** Path relative to the folder of videos. */
  path: string
  /** The row's time read as UTC, or undefined if it has none. */
  createdAt: Date | undefined
  title: string
  description: string
  isPrivate: boolean
  games: string[]
  tags: string[]
  views: number
  crop: { startSeconds: number; endSeconds: number | null } | null
  /** A hash of Werkzeug, or an empty string for a video without a password. */
  passwordHash: string
}

export type FireshareLibrary = {
  videos: FireshareVideo[]
  /** Paths or ids of the rows that cannot be read. */
  damaged: string[]
  images: number
}

/** @throws CommandError if it is no database of Fireshare */
export async function readFireshareDatabase(path: string, disk: Disk): Promise<FireshareLibrary> {
  const library = await inTemporaryFolder(disk, (folder) =>
    readForeignTables({ path, folder }, readLibrary),
  )
  if (!library) throw new CommandError(`${path} is not a database of Fireshare.`)
  return library
}

function readLibrary(tables: ForeignTables): FireshareLibrary | undefined {
  const columns = tables.columnsOf('video')
  const isFireshare = columns.includes('video_id') && columns.includes('path')
  if (!isFireshare || !tables.columnsOf('video_info').includes('private')) return undefined
  const infos = new Map<string, z.infer<typeof infoSchema>>()
  for (const row of tables.rowsOf('video_info', Object.keys(infoSchema.shape))) {
    const info = infoSchema.safeParse(row)
    if (info.success && !infos.has(info.data.video_id)) infos.set(info.data.video_id, info.data)
  }
  const games = namesOf(tables, {
    names: 'game_metadata',
    links: 'video_game_link',
    key: 'game_id',
  })
  const tags = namesOf(tables, { names: 'custom_tag', links: 'video_tag_link', key: 'tag_id' })
  const views = countByVideo(tables)
  const videos = new Map<string, FireshareVideo>()
  const damaged: string[] = []
  for (const row of tables.rowsOf('video', Object.keys(videoSchema.shape))) {
    const { data: video } = videoSchema.safeParse(row)
    const info = video && infos.get(video.video_id)
    if (!video || !info) {
      damaged.push(describeRow(row))
      continue
    }
    const { video_id: id, path } = video
    if (videos.has(id)) continue
    const { title, description, start_time: start, end_time: end } = info
    videos.set(id, {
      ...{ id, path, title, description },
      createdAt: video.created_at ?? video.updated_at ?? video.recorded_at,
      // The column has this default.
      isPrivate: info.private ?? true,
      games: games.get(id) ?? [],
      tags: tags.get(id) ?? [],
      views: views.get(id) ?? 0,
      crop: start === null && end === null ? null : { startSeconds: start ?? 0, endSeconds: end },
      passwordHash: info.password_hash,
    })
  }
  const images = [...tables.rowsOf('image', ['id'])].length
  return { videos: [...videos.values()], damaged, images }
}

/** Returns the names of each video's games or tags in the order in which they were linked. */
function namesOf(
  tables: ForeignTables,
  { names, links, key }: { names: string; links: string; key: string },
): Map<string, string[]> {
  const nameOf = new Map<number, string>()
  for (const row of tables.rowsOf(names, ['id', 'name'])) {
    const { data } = nameSchema.safeParse(row)
    if (data) nameOf.set(data.id, data.name)
  }
  const found = new Map<string, string[]>()
  for (const row of tables.rowsOf(links, ['video_id', key])) {
    const { data } = linkSchema.safeParse({ video_id: row.video_id, name: row[key] })
    const name = data && nameOf.get(data.name)
    if (data && name !== undefined)
      found.set(data.video_id, [...(found.get(data.video_id) ?? []), name])
  }
  return found
}

function countByVideo(tables: ForeignTables): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { video_id: id } of tables.rowsOf('video_view', ['video_id'])) {
    if (typeof id === 'string') counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function describeRow({ path, video_id: id }: Record<string, unknown>): string {
  return [path, id].find((value) => typeof value === 'string') ?? 'A row without a path'
}

function readTime(text: string): Date | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,6})?)$/.exec(text) ?? []
  const at = new Date(`${day}T${time}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
