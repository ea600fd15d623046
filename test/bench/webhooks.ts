import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { WEBHOOK_KINDS } from '#shared/webhooks.ts'
import type { Benchmark, Measurement } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { fromNewPlaces } from './home-list.ts'
import { putLoad } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const WEBHOOKS = 20
const DELIVERIES = 2000
/** Below the time after which the site gives up. */
const ANSWERS_AFTER_MS = 12_000

/** How quick the site stays while webhooks wait for receivers that answer late. */
export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'The home list beside slow receivers of webhooks',
  async run(input) {
    const dataFolder = join(input.workFolder, 'site')
    await mkdir(dataFolder)
    await copyFile(join(await seededSite(input), 'clutch.db'), join(dataFolder, 'clutch.db'))
    let asked = 0
    const receiver = createServer((request, response) => {
      asked += 1
      request.resume()
      setTimeout(() => response.end('late'), ANSWERS_AFTER_MS).unref()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    try {
      const measure = async () => {
        const site = await startSite(dataFolder, {
          settings: { LOCAL_HOSTS: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1' },
        })
        try {
          return (
            await putLoad(site, { what: 'p99', ...fromNewPlaces, seconds: input.seconds * 3 })
          ).p99Ms
        } finally {
          await site.stop()
        }
      }
      const idle = await measure()
      await addDeliveries(dataFolder, `http://127.0.0.1:${port}/`)
      const beside = await measure()
      if (asked === 0) throw new Error('The site has sent nothing.')
      const found: Measurement = {
        what: `24 videos from a new place each time, p99, ${DELIVERIES} deliveries wait`,
        ...{ unit: 'ms', ours: beside, goal: atMostTimes(1.1, 1) },
        ...{ floorName: 'no webhooks', floor: idle, remark: `${asked} requests sent` },
      }
      return [found]
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  },
}

async function addDeliveries(dataFolder: string, url: string): Promise<void> {
  const db = openDatabase(dataFolder)
  try {
    const now = timestamp(new Date())
    for (let index = 0; index < WEBHOOKS; index++) {
      const { id: webhookId } = await db
        .insertInto('webhooks')
        .values({
          ...{ format: 'standard', name: `Bot ${index}`, url, createdAt: now },
          ...{ secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
          kinds: JSON.stringify(WEBHOOK_KINDS),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const deliveries = Array.from({ length: DELIVERIES / WEBHOOKS }, (_, at) => ({
        ...{ webhookId, messageId: `msg_${index}_${at}`, kind: 'video.published' },
        ...{ data: JSON.stringify({ videoId: at + 1 }), createdAt: now, nextAt: now },
      }))
      await db.insertInto('webhookDeliveries').values(deliveries).execute()
    }
  } finally {
    await db.destroy()
  }
}
