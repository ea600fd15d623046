import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import {
  jobIdSchema,
  jobLogSchema,
  jobSchema,
  listJobsSchema,
} from '#shared/schemas/desk/storage.schemas.ts'
import { listJobLog, listJobs } from './job-log.queries.ts'

export const jobRouter = router({
  list: adminProcedure
    .input(listJobsSchema)
    .output(pageSchema(jobSchema))
    .query(({ ctx, input }) => listJobs(ctx, input)),

  log: adminProcedure
    .input(jobIdSchema)
    .output(jobLogSchema)
    .query(({ ctx, input }) => listJobLog(ctx.db, input.id)),

  /** `name` is FFmpeg's; null where workers encode. */
  encoder: adminProcedure
    .output(z.object({ name: z.string(), isHardware: z.boolean() }).nullable())
    .query(({ ctx }) => {
      if (!ctx.jobs.preparesItself) return null
      const name = ctx.jobs.encoder()
      return { name, isHardware: name !== 'libx264' }
    }),
})
