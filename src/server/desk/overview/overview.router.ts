import { adminProcedure, router } from '#server/platform/trpc.ts'
import {
  daysSchema,
  overviewSchema,
  viewsByDaySchema,
  waitingSchema,
} from '#shared/schemas/desk/overview.schemas.ts'
import { listViewsByDay } from './overview.queries.ts'
import { readOverview, readWaiting } from './overview.service.ts'

export const overviewRouter = router({
  get: adminProcedure.output(overviewSchema).query(({ ctx }) => readOverview(ctx)),

  waiting: adminProcedure.output(waitingSchema).query(({ ctx }) => readWaiting(ctx)),

  views: adminProcedure
    .input(daysSchema)
    .output(viewsByDaySchema)
    .query(({ ctx, input }) => listViewsByDay(ctx.db, input.days)),
})
