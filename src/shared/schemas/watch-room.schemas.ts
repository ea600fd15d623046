import { z } from 'zod'
import { idSchema, textSchema, timestampSchema } from '../field.schemas.ts'
import {
  DRAWING_POINTS_MAX,
  DRAWING_SCALE,
  DRAWING_TOOLS,
  ROOM_ITEMS_MAX,
  ROOM_MESSAGE_MAX,
  ROOM_RATES,
  ROOM_ROLES,
} from '../watch-rooms.ts'
import { clipSchema } from './clip.schemas.ts'
import { reactionKindSchema } from './reaction.schemas.ts'
import { squadViewSchema } from './squad-view.schemas.ts'
import { videoSchema } from './video.schemas.ts'
import { namedMemberSchema } from './visibility.schemas.ts'

const TOKEN = /^[\w-]{22}$/
const tokenSchema = z.string().regex(TOKEN, 'is not the address of a room')
const roleSchema = z.enum(ROOM_ROLES)

export const roomPlaybackSchema = z.object({
  itemId: z.int().nullable(),
  position: z.number(),
  rate: z.number(),
  isPaused: z.boolean(),
  at: z.number(),
  version: z.int(),
})

/**
 * `video` is null if the caller may not watch it. `clip` is also null for a whole video. Of a squad view, `video` is the first
 * recording that the caller may watch.
 */
const roomItemSchema = z.object({
  id: z.int(),
  video: videoSchema.nullable(),
  clip: clipSchema.nullable(),
  squadView: squadViewSchema.nullable(),
})
export type RoomItem = z.infer<typeof roomItemSchema>

export const watchRoomSchema = z.object({
  token: z.string(),
  allowsGuests: z.boolean(),
  createdAt: timestampSchema,
  /** Null for guests. */
  myRole: roleSchema.nullable(),
  playback: roomPlaybackSchema,
  items: z.array(roomItemSchema),
  /** Only the host learns whom they have removed. */
  removed: z.array(namedMemberSchema),
})
export type WatchRoom = z.infer<typeof watchRoomSchema>

export const roomPersonSchema = namedMemberSchema.extend({ role: roleSchema })
export type RoomPerson = z.infer<typeof roomPersonSchema>

export const roomMessageSchema = z.object({
  id: z.int(),
  content: z.string(),
  createdAt: timestampSchema,
  user: namedMemberSchema,
})
export type RoomMessage = z.infer<typeof roomMessageSchema>

export const roomTokenSchema = z.object({ token: tokenSchema })
export const roomItemIdSchema = roomTokenSchema.extend({ itemId: idSchema })

const subjectFields = {
  videoId: idSchema.optional(),
  clipId: idSchema.optional(),
}
const isOneSubject = (given: Record<string, unknown>, names: readonly string[]) =>
  names.filter((name) => given[name] !== undefined).length === 1

export const createRoomSchema = z
  .object({
    ...subjectFields,
    playlistId: idSchema.optional(),
    squadViewId: idSchema.optional(),
    /** The place to start at. */
    position: z.number().min(0).max(1e6).default(0),
  })
  .refine((given) => isOneSubject(given, ['videoId', 'clipId', 'playlistId', 'squadViewId']), {
    error: 'Name a video, a clip, a playlist or a squad view.',
  })
export type CreateRoom = z.infer<typeof createRoomSchema>

export const addRoomItemSchema = roomTokenSchema
  .extend(subjectFields)
  .refine((given) => isOneSubject(given, ['videoId', 'clipId']), {
    error: 'Name a video or a clip.',
  })
export type AddRoomItem = z.infer<typeof addRoomItemSchema>

export const controlRoomSchema = roomItemIdSchema.extend({
  position: z.number({ error: 'must be a number of seconds' }).min(0).max(1e6),
  rate: z.literal(ROOM_RATES, { error: 'is not a speed of the player' }),
  isPaused: z.boolean(),
  /** When the caller's player was there, by the server's clock. */
  at: z.number().min(0).max(1e14),
})
export type ControlRoom = z.infer<typeof controlRoomSchema>

export const editRoomSchema = roomTokenSchema.extend({ allowsGuests: z.boolean() })
export type EditRoom = z.infer<typeof editRoomSchema>

export const setRoomRoleSchema = roomTokenSchema.extend({ userId: idSchema, role: roleSchema })
export type SetRoomRole = z.infer<typeof setRoomRoleSchema>

export const removeFromRoomSchema = roomTokenSchema.extend({
  userId: idSchema,
  isRemoved: z.boolean(),
})
export type RemoveFromRoom = z.infer<typeof removeFromRoomSchema>

export const moveRoomItemSchema = roomItemIdSchema.extend({
  toIndex: z.int().min(0).max(ROOM_ITEMS_MAX),
})
export type MoveRoomItem = z.infer<typeof moveRoomItemSchema>

export const sayInRoomSchema = roomTokenSchema.extend({
  content: textSchema
    .refine((content) => content.length > 0, { error: 'The message is empty.' })
    .refine((content) => content.length <= ROOM_MESSAGE_MAX, {
      error: `A message has at most ${ROOM_MESSAGE_MAX} characters.`,
    }),
  /** The message also becomes a comment on what plays, at this place in seconds. */
  commentAt: z.number().min(0).max(1e6).optional(),
})
export type SayInRoom = z.infer<typeof sayInRoomSchema>

export const reactInRoomSchema = roomTokenSchema.extend({ kind: reactionKindSchema })

export const drawingSchema = z.object({
  /** Chosen by the page that drew, which ignores its own. */
  id: z
    .int()
    .min(0)
    .max(2 ** 32),
  tool: z.enum(DRAWING_TOOLS),
  /** x and y in turn. */
  points: z
    .array(z.int().min(0).max(DRAWING_SCALE))
    .min(4, 'A drawing has at least two points.')
    .max(DRAWING_POINTS_MAX * 2, 'This drawing has too many points.')
    .refine(({ length }) => length % 2 === 0, { error: 'A point is missing its y.' }),
  /** Chooses one of six colours. */
  colour: z.int().min(0).max(5),
})
export type Drawing = z.infer<typeof drawingSchema>
export const drawInRoomSchema = roomTokenSchema.extend({ drawing: drawingSchema })
