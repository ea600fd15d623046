import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { type FaultProxy, startFaultProxy } from '#test/support/fault-proxy.ts'
import { type HostedSite, openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

let browser: Browser
let bucket: Awaited<ReturnType<typeof startS3Server>>
let line: FaultProxy
let server: HostedSite

beforeAll(async () => {
  browser = await launchBrowser()
  bucket = await startS3Server()
  line = await startFaultProxy(bucket.endpoint)
  server = await openHostedSite({ env: bucket.mediaVariables('videos', line.endpoint) })
  await writeRows(server, async (db) => {
    const userId = await addMember(db, 'nova')
    await addVideos(db, [{ userId, title: 'Round 1' }])
    const thumbnailUrl = '/media/gone/poster.jpg'
    await db.updateTable('videos').set({ thumbnailUrl }).execute()
  })
})
afterAll(async () => {
  await browser.close()
  await server.remove()
  await line.stop()
  await bucket.stop()
})

longTest(
  'the desk says where media are, what a backup holds, and that the store does not answer',
  async () => {
    const { page } = await openPage(browser, { origin: server.origin })
    await register(page, 'chief', await server.setupCode())
    await page.goto('/admin/backup')
    await page
      .getByText('The database and a list of the media, checked by opening it. To put one back')
      .waitFor()
    await page.goto('/admin/storage')
    await page.getByText('The media are in s3://clutch/videos').waitFor()
    await page.getByText('Copies of videos').waitFor()
    // A picture that cannot be had leaves its place, and no torn one.
    const row = page.getByRole('row', { name: /Round 1/ })
    await row.waitFor()
    await expect.poll(() => row.locator('img').count()).toBe(0)

    line.fail('drop')
    await page.goto('/admin')
    await page.getByText(/^The store of videos at .* does not answer/).waitFor()
    line.heal()
  },
)
