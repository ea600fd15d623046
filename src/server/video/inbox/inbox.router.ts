import { z } from 'zod'
import { adminProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { pageInputSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  editInboxSettingsSchema,
  inboxItemSchema,
  inboxItemsSchema,
  inboxSettingsSchema,
  inboxStateSchema,
  inboxStatusSchema,
  listInboxSchema,
  publishInboxSchema,
  unusableFileSchema,
} from '#shared/schemas/inbox.schemas.ts'
import { forgetUnusable } from './inbox.queries.ts'
import {
  dismissItems,
  editInboxSettings,
  pauseInbox,
  queueItems,
  readInboxSettings,
  readInboxState,
  readInboxStatus,
  restoreItems,
} from './inbox.service.ts'
import { listInboxItems, listUnusableFiles } from './inbox-list.queries.ts'

export const inboxRouter = router({
  state: sessionProcedure
    .output(inboxStateSchema)
    .query(({ ctx }) => readInboxState(ctx, { viewer: ctx.viewer })),

  list: sessionProcedure
    .input(listInboxSchema)
    .output(pageSchema(inboxItemSchema))
    .query(({ ctx, input }) => listInboxItems(ctx.db, { ...input, viewer: ctx.viewer })),

  publish: sessionProcedure
    .input(publishInboxSchema)
    .output(z.object({ queued: z.int() }))
    .mutation(({ ctx, input }) => queueItems(ctx.db, { ...input, viewer: ctx.viewer })),

  dismiss: sessionProcedure
    .input(inboxItemsSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => dismissItems(ctx, { ...input, viewer: ctx.viewer })),

  restore: sessionProcedure
    .input(inboxItemsSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => restoreItems(ctx, { ...input, viewer: ctx.viewer })),

  settings: adminProcedure.output(inboxSettingsSchema).query(({ ctx }) => readInboxSettings(ctx)),

  saveSettings: adminProcedure
    .input(editInboxSettingsSchema)
    .output(inboxSettingsSchema)
    .mutation(({ ctx, input }) => editInboxSettings(ctx, { ...input, viewer: ctx.viewer })),

  status: adminProcedure.output(inboxStatusSchema).query(({ ctx }) => readInboxStatus(ctx)),

  pause: adminProcedure
    .input(z.object({ isPaused: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx, input }) => pauseInbox(ctx.db, { ...input, viewer: ctx.viewer })),

  unusable: adminProcedure
    .input(pageInputSchema)
    .output(pageSchema(unusableFileSchema))
    .query(({ ctx, input }) => listUnusableFiles(ctx.db, input)),

  examineAgain: adminProcedure.output(z.void()).mutation(({ ctx }) => forgetUnusable(ctx.db)),
})
