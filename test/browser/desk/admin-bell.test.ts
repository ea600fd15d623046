import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpPages } from '#test/support/set-up-pages.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { mountSmallDisk } from '#test/torture/support/small-disk.ts'

const DISK_MB = 128
const FILL_BYTES = 16 * 1024 * 1024

const pages = setUpPages()

longTest('failed jobs and a full disk are in the bell of admins, once each', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-bell-'))
  const disk = await mountSmallDisk(join(folder, 'disk'), DISK_MB).catch(() => undefined)
  if (!disk) return skip('This account may not mount a small file system.')
  const site = await openHostedSite({ dataFolder: join(disk.folder, 'data') })
  try {
    const { page, problems } = await pages.open({ origin: site.origin })
    const userId = await register(page, 'warden', await site.setupCode())
    const now = timestamp()
    await writeRows(site, async (db) => {
      const ids = await addVideos(db, [
        { userId, title: 'First' },
        { userId, title: 'Second' },
      ])
      const failed = { kind: 'ladder', state: 'failed', error: 'It ended.' } as const
      const times = { runAfter: now, createdAt: now, finishedAt: now }
      for (const videoId of ids) await addRows(db, 'jobs', { ...failed, ...times, videoId })
    })
    await page.goto('/history')
    await page.getByRole('button', { name: 'Notifications, 2 for admins' }).waitFor()
    await disk.fill(FILL_BYTES)
    await page.reload()
    await page.getByRole('button', { name: 'Notifications, 3 for admins' }).click()
    const waiting = page.getByRole('list', { name: 'Waiting for you' })
    await waiting.getByRole('link', { name: 'The disk is full' }).waitFor()
    expect(await waiting.getByRole('listitem').allTextContents()).toEqual([
      'The disk is full',
      '2 failed jobs',
    ])
    expect(await auditPage(page)).toEqual([])
    await waiting.getByRole('link', { name: '2 failed jobs' }).click()
    await page.waitForURL('/admin/jobs')
    await disk.clear()
    await page.reload()
    await page.getByRole('button', { name: 'Notifications, 2 for admins' }).click()
    const lines = () => waiting.getByRole('listitem').allTextContents()
    await expect.poll(lines).toEqual(['2 failed jobs'])
    expect(problems).toEqual([])
  } finally {
    await site.remove()
    await disk.unmount()
    await rm(folder, { recursive: true, force: true })
  }
})
