import { adminProcedure, router } from '#server/platform/trpc.ts'
import { nodesSchema } from '#shared/schemas/desk/node.schemas.ts'
import { readNodes } from './node.service.ts'

export const nodeRouter = router({
  list: adminProcedure.output(nodesSchema).query(({ ctx }) => readNodes(ctx.db)),
})
