import { z } from 'zod'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import {
  createdWorkerSchema,
  createWorkerSchema,
  drainWorkerSchema,
  workerIdSchema,
  workersSchema,
} from '#shared/schemas/desk/worker.schemas.ts'
import { createWorker, drainWorker, endWorker, readWorkers } from './worker.service.ts'

export const workerRouter = router({
  list: adminProcedure.output(workersSchema).query(({ ctx }) => readWorkers(ctx)),

  create: confirmedAdminProcedure
    .input(createWorkerSchema)
    .output(createdWorkerSchema)
    .mutation(async ({ ctx, input }) => {
      const made = await createWorker(ctx, { ...input, viewer: ctx.viewer })
      const { log, address, viewer } = ctx
      log.info({ userId: viewer.id, address, workerId: made.id }, 'worker token made')
      return made
    }),

  drain: adminProcedure
    .input(drainWorkerSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => drainWorker(ctx, { ...input, viewer: ctx.viewer })),

  end: adminProcedure
    .input(workerIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await endWorker(ctx, { ...input, viewer: ctx.viewer })
      const { log, address, viewer } = ctx
      log.info({ userId: viewer.id, address, workerId: input.id }, 'worker token revoked')
    }),
})
