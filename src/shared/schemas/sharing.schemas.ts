import { z } from 'zod'

/** What may be wrong with how a link to a video looks elsewhere. */
const shareProblemSchema = z.object({
  code: z.enum([
    'not-public',
    'no-poster',
    'long-title',
    'no-description',
    'discord-off',
    'no-share-file',
    'large-share-file',
    'not-https',
    'not-reachable',
  ]),
  sentence: z.string(),
})
export type ShareProblem = z.infer<typeof shareProblemSchema>

export const sharePreviewSchema = z.object({
  url: z.string(),
  /** The head of the watch page as crawlers read it; empty while the video is not public. */
  tags: z.array(z.object({ name: z.string(), content: z.string() })),
  card: z.object({
    siteName: z.string(),
    host: z.string(),
    title: z.string(),
    description: z.string(),
    thumbnailUrl: z.string().nullable(),
    /** Whether chat programs get a player, and the file it plays. */
    playsFile: z.boolean(),
    /** Whether a player page is offered, as X shows one. */
    playsPage: z.boolean(),
    width: z.int(),
    height: z.int(),
  }),
  problems: z.array(shareProblemSchema),
})
export type SharePreview = z.infer<typeof sharePreviewSchema>
