import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { releaseSchema } from '#shared/schemas/desk/release.schemas.ts'
import { dismissNews, readRelease } from './release.service.ts'

export const releaseRouter = router({
  get: adminProcedure.output(releaseSchema).query(({ ctx }) => readRelease(ctx)),

  dismissNews: adminProcedure.output(z.void()).mutation(({ ctx }) => dismissNews(ctx.db)),
})
