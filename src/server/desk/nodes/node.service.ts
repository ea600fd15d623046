import type { z } from 'zod'
import { clusterOf } from '#server/platform/cluster/cluster.ts'
import type { Database } from '#server/platform/db/engine.ts'
import { listNodes } from '#server/platform/db/node.queries.ts'
import type { Node, nodesSchema } from '#shared/schemas/desk/node.schemas.ts'

/** Three heartbeats. */
const SILENT_SECONDS = 15

export async function readNodes(db: Database): Promise<z.infer<typeof nodesSchema>> {
  const { nodeId } = clusterOf(db)
  const rows = await listNodes(db)
  return {
    nodes: rows.map(({ isDraining, ...row }) => ({
      ...row,
      state: stateOf({ isDraining, ...row }),
      isAsked: row.id === nodeId,
    })),
    versionsDiffer: new Set(rows.map(({ version }) => version)).size > 1,
  }
}

function stateOf(
  node: Pick<Node, 'secondsSilent' | 'problem'> & { isDraining: number },
): Node['state'] {
  if (node.secondsSilent >= SILENT_SECONDS) return 'silent'
  if (node.isDraining === 1) return 'draining'
  return node.problem === null ? 'serving' : 'unready'
}
