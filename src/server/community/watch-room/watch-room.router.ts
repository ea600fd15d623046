import { z } from 'zod'
import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import {
  addRoomItemSchema,
  controlRoomSchema,
  createRoomSchema,
  drawInRoomSchema,
  editRoomSchema,
  moveRoomItemSchema,
  reactInRoomSchema,
  removeFromRoomSchema,
  roomItemIdSchema,
  roomPlaybackSchema,
  roomTokenSchema,
  sayInRoomSchema,
  setRoomRoleSchema,
  watchRoomSchema,
} from '#shared/schemas/watch-room.schemas.ts'
import { findServerTime } from './watch-room.queries.ts'
import { createRoom, editRoom, endRoom, readRoom } from './watch-room.service.ts'
import { drawInRoom, reactInRoom, sayInRoom } from './watch-room-chat.service.ts'
import {
  addItem,
  chooseItem,
  controlRoom,
  finishItem,
  moveItem,
  removeItem,
} from './watch-room-playback.service.ts'
import { leaveRoom, removePerson, setRoomRole } from './watch-room-roles.service.ts'

export const watchRoomRouter = router({
  get: publicProcedure
    .input(roomTokenSchema)
    .output(watchRoomSchema)
    .query(({ ctx, input }) => readRoom(ctx.db, { ...input, viewer: ctx.viewer })),

  /** Milliseconds of the clock by which rooms play. */
  clock: publicProcedure.output(z.number()).query(({ ctx }) => findServerTime(ctx.db)),

  create: memberProcedure
    .input(createRoomSchema)
    .output(roomTokenSchema)
    .mutation(({ ctx, input }) => createRoom(ctx, { ...input, viewer: ctx.viewer })),

  control: memberProcedure
    .input(controlRoomSchema)
    .output(roomPlaybackSchema)
    .mutation(({ ctx, input }) => controlRoom(ctx, { ...input, viewer: ctx.viewer })),

  choose: memberProcedure
    .input(roomItemIdSchema)
    .output(roomPlaybackSchema)
    .mutation(({ ctx, input }) => chooseItem(ctx, { ...input, viewer: ctx.viewer })),

  /** The item has been played to its end. */
  finish: memberProcedure
    .input(roomItemIdSchema)
    .output(roomPlaybackSchema)
    .mutation(({ ctx, input }) => finishItem(ctx, { ...input, viewer: ctx.viewer })),

  addItem: memberProcedure
    .input(addRoomItemSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => addItem(ctx, { ...input, viewer: ctx.viewer })),

  removeItem: memberProcedure
    .input(roomItemIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeItem(ctx, { ...input, viewer: ctx.viewer })),

  moveItem: memberProcedure
    .input(moveRoomItemSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => moveItem(ctx, { ...input, viewer: ctx.viewer })),

  removePerson: memberProcedure
    .input(removeFromRoomSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removePerson(ctx, { ...input, viewer: ctx.viewer })),

  setRole: memberProcedure
    .input(setRoomRoleSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setRoomRole(ctx, { ...input, viewer: ctx.viewer })),

  edit: memberProcedure
    .input(editRoomSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editRoom(ctx, { ...input, viewer: ctx.viewer })),

  say: memberProcedure
    .input(sayInRoomSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => sayInRoom(ctx, { ...input, viewer: ctx.viewer })),

  react: memberProcedure
    .input(reactInRoomSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => reactInRoom(ctx, { ...input, viewer: ctx.viewer })),

  draw: memberProcedure
    .input(drawInRoomSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => drawInRoom(ctx, { ...input, viewer: ctx.viewer })),

  leave: memberProcedure
    .input(roomTokenSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => leaveRoom(ctx, { ...input, viewer: ctx.viewer })),

  end: memberProcedure
    .input(roomTokenSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => endRoom(ctx, { ...input, viewer: ctx.viewer })),
})
