import { z } from 'zod'
import { idSchema, lineSchema, pageSchema, ruleCheck, timestampSchema } from '../field.schemas.ts'
import { passwordRule } from '../field-rules.ts'
import { SHARE_LINK_NOTE_MAX, SHARE_LINK_VIEWS_MAX } from '../limits.ts'
import { playbackSchema } from './video.schemas.ts'

const target = { videoId: idSchema.optional(), playlistId: idSchema.optional() }
const isOneTarget = ({ videoId, playlistId }: { videoId?: unknown; playlistId?: unknown }) =>
  (videoId === undefined) !== (playlistId === undefined)
const ONE_TARGET = { error: 'Name either a video or a playlist.' }

export const shareTargetSchema = z.object(target).refine(isOneTarget, ONE_TARGET)
export type ShareTarget = z.infer<typeof shareTargetSchema>

export const createShareLinkSchema = z
  .object({
    ...target,
    /** Private to the owner and admins. */
    note: lineSchema
      .refine((note) => note.length <= SHARE_LINK_NOTE_MAX, {
        error: `must be at most ${SHARE_LINK_NOTE_MAX} characters`,
      })
      .default(''),
    password: z.string().superRefine(ruleCheck(passwordRule)).nullish(),
    expiresAt: z.iso.datetime({ error: 'must be a time, as 2026-01-31T18:00:00Z' }).nullish(),
    maxViews: z
      .int({ error: 'must be a whole number' })
      .min(1, { error: 'must be at least 1' })
      .max(SHARE_LINK_VIEWS_MAX, { error: `must be at most ${SHARE_LINK_VIEWS_MAX}` })
      .nullish(),
  })
  .refine(isOneTarget, ONE_TARGET)
export type CreateShareLink = z.infer<typeof createShareLinkSchema>

/** For the owner and admins. */
export const shareLinkSchema = z.object({
  id: z.int(),
  videoId: z.int().nullable(),
  playlistId: z.int().nullable(),
  note: z.string(),
  hasPassword: z.boolean(),
  expiresAt: timestampSchema.nullable(),
  maxViews: z.int().nullable(),
  views: z.int(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  state: z.enum(['live', 'expired', 'used-up', 'revoked']),
})
export type ShareLink = z.infer<typeof shareLinkSchema>

/** The only answer with the address. */
export const createdShareLinkSchema = shareLinkSchema.extend({ url: z.string() })

const sharedCommentFields = {
  id: z.int(),
  /** Null for a deleted account. */
  authorName: z.string().nullable(),
  authorAvatarUrl: z.string().nullable(),
  content: z.string(),
  createdAt: timestampSchema,
  likeCount: z.int(),
  isPinned: z.boolean(),
  isHearted: z.boolean(),
}
const sharedReplySchema = z.object(sharedCommentFields)
const sharedCommentSchema = z.object({
  ...sharedCommentFields,
  replies: z.array(sharedReplySchema),
})
export type SharedReply = z.infer<typeof sharedReplySchema>
export type SharedComment = z.infer<typeof sharedCommentSchema>

const listedVideo = {
  id: z.int(),
  title: z.string(),
  thumbnailUrl: z.string().nullable(),
  cardUrl: z.string().nullable(),
  preview: z.string().nullable(),
  /** Whole seconds. */
  duration: z.int(),
  /** Null for an anonymous video. */
  ownerName: z.string().nullable(),
}

/** File addresses work as long as the link. */
export const linkedVideoSchema = z.object({
  video: z.object({
    ...listedVideo,
    ownerAvatarUrl: z.string().nullable(),
    description: z.string(),
    videoUrl: z.string().nullable(),
    hlsUrl: z.string().nullable(),
    storyboardUrl: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    publishedAt: timestampSchema,
    category: z.string(),
    tags: z.array(z.string()),
    videoFileExists: z.boolean(),
  }),
  playback: playbackSchema,
  comments: pageSchema(sharedCommentSchema),
})
export type LinkedVideo = z.infer<typeof linkedVideoSchema>

const opened = {
  /** Proof of the opening, required for links with a password or view limit. */
  grant: z.string().nullable(),
  expiresAt: timestampSchema.nullable(),
}

export const openedShareLinkSchema = z.discriminatedUnion('kind', [
  z.object({ ...opened, kind: z.literal('video'), ...linkedVideoSchema.shape }),
  z.object({
    ...opened,
    kind: z.literal('playlist'),
    title: z.string(),
    description: z.string(),
    ownerName: z.string(),
    videos: z.array(z.object(listedVideo)),
  }),
])
export type OpenedShareLink = z.infer<typeof openedShareLinkSchema>

const opening = {
  token: z.string().max(100),
  grant: z.string().max(100).nullish(),
}

export const openShareLinkSchema = z.object({
  ...opening,
  password: z.string().max(256).nullish(),
})
export type OpenShareLink = z.infer<typeof openShareLinkSchema>

export const linkedVideoInputSchema = z.object({ ...opening, videoId: idSchema })
