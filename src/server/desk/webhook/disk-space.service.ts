import { statfs } from 'node:fs/promises'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { hasDeliverySince } from './delivery.queries.ts'
import { tellWebhooks } from './webhook.events.ts'

const KIND = 'disk.nearly_full'
const DAY_MS = 86_400_000
const NEARLY_FULL_SHARE = 0.05
/** Large disks have room for a long time with 5 %. */
const NEARLY_FULL_BYTES_MAX = 20e9

type Deps = Pick<AppDeps, 'db' | 'disk' | 'config' | 'webhooks'>

/** Tells webhooks once a day while this node's disk is nearly full. */
export async function tellOfFullDisk({ db, disk, config, webhooks }: Deps): Promise<void> {
  if (!webhooks) return
  const freeBytes = Math.max(0, await disk.freeBytes())
  const { blocks, bsize } = await statfs(config.dataFolder)
  const totalBytes = blocks * bsize
  if (freeBytes > Math.min(totalBytes * NEARLY_FULL_SHARE, NEARLY_FULL_BYTES_MAX)) return
  await inTransaction(db, async (transaction) => {
    const since = timestamp(new Date(Date.now() - DAY_MS))
    if (await hasDeliverySince(transaction, { kind: KIND, since })) return
    await tellWebhooks(transaction, KIND, { freeBytes, totalBytes })
  })
  webhooks.wake()
}
