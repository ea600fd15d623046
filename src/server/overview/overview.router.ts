import { daysSchema, overviewSchema, viewsByDaySchema } from '#shared/overview.schemas.ts'
import { adminProcedure, router } from '../trpc.ts'
import { listViewsByDay } from './overview.queries.ts'
import { readOverview } from './overview.service.ts'

export const overviewRouter = router({
  get: adminProcedure.output(overviewSchema).query(({ ctx }) => readOverview(ctx)),

  views: adminProcedure
    .input(daysSchema)
    .output(viewsByDaySchema)
    .query(({ ctx, input }) => listViewsByDay(ctx.db, input.days)),
})
