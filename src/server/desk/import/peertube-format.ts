/**
 * The archive of a user of PeerTube, as far as it is read and written here. PeerTube describes it in
 * `packages/models/src/import-export`. Paths in the JSON files are relative to their folder.
 */
import { z } from 'zod'

export const JSON_FOLDER = 'peertube'

export const PRIVACY = {
  public: 1,
  unlisted: 2,
  private: 3,
  internal: 4,
  password: 5,
} as const
export const PLAYLIST_PRIVACY = { public: 1, unlisted: 2, private: 3 } as const
export const PLAYLIST_TYPE = { regular: 1, watchLater: 2 } as const
export const COMMENTS = { enabled: 1, disabled: 2 } as const
export const GAMING = 7

/** By number, from 1. */
export const CATEGORY_NAMES = [
  ...['Music', 'Films', 'Vehicles', 'Art', 'Sports', 'Travels', 'Gaming', 'People', 'Comedy'],
  ...['Entertainment', 'News & Politics', 'How To', 'Education', 'Activism'],
  ...['Science & Technology', 'Animals', 'Kids', 'Food'],
]

/** Clear passwords of videos, and keys by which a stream is sent. They are erased before a file is parsed. */
export const SECRET_FIELDS = ['passwords', 'streamKey']

const textSchema = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const timeSchema = z
  .string()
  .nullish()
  .transform((text) => {
    const at = new Date(text ?? '')
    return Number.isNaN(at.getTime()) ? undefined : at
  })
const pathSchema = z
  .string()
  .nullish()
  .transform((path) => path || undefined)

const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

export const peertubeVideoSchema = z.object({
  uuid: z.uuid(),
  publishedAt: timeSchema,
  name: textSchema,
  description: textSchema,
  category: z.number().nullish(),
  tags: listOf(z.string()),
  privacy: z.number(),
  isLive: z.boolean().nullish(),
  url: textSchema,
  views: z.int().min(0).catch(0),
  nsfw: z.boolean().nullish(),
  commentsPolicy: z.number().nullish(),
  downloadEnabled: z.boolean().nullish(),
  channel: z.object({ name: textSchema }).nullish(),
  captions: listOf(z.object({ language: z.string() })),
  chapters: listOf(z.object({ timecode: z.number().min(0), title: textSchema })),
  source: z.object({ inputFilename: textSchema }).nullish(),
  archiveFiles: z
    .object({
      videoFile: pathSchema,
      thumbnail: pathSchema,
      captions: z
        .record(z.string(), z.string())
        .nullish()
        .transform((captions) => captions ?? {}),
    })
    .nullish(),
})
export type PeertubeVideo = z.infer<typeof peertubeVideoSchema>

export const peertubePlaylistSchema = z.object({
  displayName: textSchema,
  description: textSchema,
  privacy: z.number(),
  type: z.number(),
  elements: listOf(z.object({ videoUrl: z.string() })),
})
export type PeertubePlaylist = z.infer<typeof peertubePlaylistSchema>

export const peertubeChannelSchema = z.object({
  name: z.string(),
  displayName: textSchema,
  description: textSchema,
})
export type PeertubeChannel = z.infer<typeof peertubeChannelSchema>
