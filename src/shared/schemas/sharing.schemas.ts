import { z } from 'zod'

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
  /** Empty unless public. */
  tags: z.array(z.object({ name: z.string(), content: z.string() })),
  card: z.object({
    siteName: z.string(),
    host: z.string(),
    title: z.string(),
    description: z.string(),
    thumbnailUrl: z.string().nullable(),
    /** Chat programs play a file. */
    playsFile: z.boolean(),
    /** Size of that file, or null if it is unknown. */
    fileBytes: z.int().nullable(),
    /** X shows a player page. */
    playsPage: z.boolean(),
    width: z.int(),
    height: z.int(),
  }),
  problems: z.array(shareProblemSchema),
})
export type SharePreview = z.infer<typeof sharePreviewSchema>
