import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, keepPicture } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const SECTIONS = [
  ['', 'Overview'],
  ['/approvals', 'Approvals'],
  ['/reports', 'Reports'],
  ['/comments', 'Comments'],
  ['/members', 'Members'],
  ['/jobs', 'Jobs'],
  ['/storage', 'Storage'],
  ['/settings', 'Settings'],
  ['/backup', 'Backup'],
  ['/audit', 'Audit log'],
]

const server = setUpHostedSite()
let page: Page
let problems: string[]

beforeAll(async () => {
  ;({ page, problems } = await server.open())
  await register(page, 'chief', await server.setupCode())
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const call = (name: string, data: object) => page.request.post(`/trpc/${name}`, { data })

// Before others add rows of videos without files, which a proven restore would report.
describe('a backup', () => {
  longTest('is made, checked and deleted', async () => {
    await page.goto('/admin/backup')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('Verified').waitFor({ timeout: 90_000 })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download backup/ }).click()
    const password = page.getByRole('dialog', { name: 'Confirm your password' })
    await password.getByLabel('Password', { exact: true }).fill('correct horse')
    await password.getByRole('button', { name: 'Confirm' }).click()
    expect((await download).suggestedFilename()).toMatch(/^clutch-backup-.*\.tar$/)
    await page.getByText('No restore has been tested yet.').waitFor()
    await page.getByRole('button', { name: 'Try a restore' }).click()
    await page.getByText(/^Last proven restore: .*: \d+ videos? and \d+ files?/).waitFor()
    await page.getByRole('button', { name: /^Delete backup/ }).click()
    await page
      .getByRole('dialog', { name: 'Delete this backup?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await page.getByText('No backups yet').waitFor()
    // The download asked for the password.
    expect(problems.splice(0)).toEqual([expect.stringMatching(/403.*backup.prepareDownload/)])
  })
})

describe('for others than admins', () => {
  test('there is nothing at the admin’s addresses, and no link to them', async () => {
    const other = await server.open()
    await register(other.page, 'member')
    for (const path of ['/admin', '/admin/members']) {
      const answer = await other.page.goto(path)
      expect(answer?.status()).toBe(404)
      await other.page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
    }
    await other.page.getByRole('button', { name: 'User menu' }).click()
    expect(await other.page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
  })
})

describe('the desk', () => {
  test('opens from the user menu, and every section has its address', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('link', { name: 'Admin' }).click()
    await heading('Overview').waitFor()
    for (const [path, name] of SECTIONS) {
      const answer = await page.goto(`/admin${path}`)
      expect(answer?.status()).toBe(200)
      await heading(name ?? '').waitFor()
      const current = page.getByRole('navigation', { name: 'Admin' }).locator('[aria-current=page]')
      expect(await current.textContent()).toContain(name)
    }
    expect(problems).toEqual([])
  })

  longTest('a room that does not exist is not found, for an admin too', async () => {
    const set = async (rules: string) => (await call('site.edit', { rules })).status()
    expect(await set('Be kind')).toBe(200)
    for (const path of ['/admin/nonsense', '/admin/members/nonsense', '/rules/nonsense']) {
      const answer = await page.goto(path)
      expect([path, answer?.status()]).toEqual([path, 404])
      await heading('Page Not Found').waitFor()
      await page.getByRole('link', { name: 'Return to Home' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0)
    }
    const there = await page.goto('/rules')
    expect(there?.status()).toBe(200)
    await heading('Rules').waitFor()
    expect(await set('')).toBe(200)
    expect((await page.goto('/rules'))?.status()).toBe(404)
    await heading('Page Not Found').waitFor()
    const others = problems.filter((problem) => !/404/.test(problem))
    problems.length = 0
    expect(others).toEqual([])
  })

  longTest('bell and menu tell an admin what waits, wherever on the site they are', async () => {
    const report = { kind: 'channel', channelId: 1, subject: 'A name', reason: 'Spam' } as const
    await writeRows(server, (db) =>
      addRows(db, 'reports', { ...report, state: 'open', createdAt: '2026-01-01T00:00:00.000Z' }),
    )
    await page.goto('/explore')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('link', { name: 'Admin 1 waiting' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Notifications, 1 for admins' }).click()
    const waiting = page.getByRole('list', { name: 'Waiting for you' })
    const openReport = waiting.getByRole('link', { name: '1 open report' })
    await openReport.waitFor()
    await keepPicture(page, 'waiting-for-admins')
    await openReport.click()
    await page.waitForURL('/admin/reports')
    await heading('Reports').waitFor()
    await writeRows(server, (db) => db.deleteFrom('reports').execute())
    expect(problems).toEqual([])
  })

  longTest('fits on a phone', async () => {
    await page.setViewportSize(PHONE)
    for (const [path, name] of SECTIONS) {
      await page.goto(`/admin${path}`)
      await heading(name ?? '').waitFor()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(over, name).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize(DESKTOP)
  })
})

describe('approvals', () => {
  longTest('are gone through with the keys', async () => {
    await writeRows(server, async (db) => {
      const userId = await addMember(db, 'Uploader')
      await addVideos(db, [
        { userId, title: 'Third', contentApproved: 0 },
        { userId, title: 'Second', contentApproved: 0 },
        { userId, title: 'First', contentApproved: 0 },
      ])
    })
    await page.goto('/admin/approvals')
    const judged = (title: string) => page.getByRole('region', { name: `Reviewing "${title}"` })
    await judged('First').waitFor()
    await page.keyboard.press('j')
    await judged('Second').waitFor()
    await page.keyboard.press('k')
    await judged('First').waitFor()
    await page.keyboard.press('a')
    await judged('Second').waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject "Second"?' })
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Please say in a few words why.').waitFor()
    await dialog.getByLabel('Reason (they will see it)').fill('Not about games')
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    await judged('Third').waitFor()
    await page.goto('/admin/audit')
    const rows = page.getByRole('row')
    await rows.filter({ hasText: 'rejected the video Second' }).waitFor()
    await rows.getByRole('link', { name: 'Second' }).waitFor()
    expect(await rows.filter({ hasText: 'approved the video First' }).count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Filter by name or reason' }).fill('about games')
    await page.waitForURL(/q=about/)
    await rows.filter({ hasText: 'approved the video First' }).waitFor({ state: 'detached' })
  })
})

describe('a report', () => {
  longTest('is made on a channel’s page and ends with a ban that can be lifted', async () => {
    const userId = await writeRows(server, (db) => addMember(db, 'Loud Larry'))
    const other = await server.open()
    await register(other.page, 'reporter')
    await other.page.goto(`/profile/${userId}`)
    await other.page.getByRole('button', { name: 'Report this channel' }).click()
    const asked = other.page.getByRole('dialog', { name: 'Report this channel?' })
    await asked.getByRole('button', { name: 'Insults or harassment' }).click()
    await asked.getByRole('button', { name: 'Report', exact: true }).click()
    await other.page.getByText('An admin will look at it.').waitFor()

    await page.goto('/admin/reports')
    const card = page.getByRole('article', { name: 'Report of a channel' })
    await card.getByRole('button', { name: 'Actions for the reported channel' }).click()
    await page.getByRole('menuitem', { name: 'Ban' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ban Loud Larry?' })
    await dialog.getByRole('button', { name: 'Insults or harassment' }).click()
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    await page.getByText('No open reports').waitFor()
    await other.page.goto(`/profile/${userId}`)
    await other.page.getByRole('heading', { name: 'Profile Not Found' }).waitFor()

    await page.goto('/admin/members?show=banned')
    await page.getByRole('button', { name: 'Actions for Loud Larry' }).click()
    await page.getByRole('menuitem', { name: 'Lift the ban' }).click()
    await page
      .getByRole('dialog', { name: 'Lift the ban on Loud Larry?' })
      .getByRole('button', { name: 'Lift the ban' })
      .click()
    await page.getByText('No members found').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Loud Larry' }).waitFor()
  })
})

describe('the settings', () => {
  test('give the site its name, rules and accent, which everybody sees', async () => {
    await page.goto('/admin/settings')
    await page.getByLabel('Name', { exact: true }).fill('Clips of Ours')
    await page.getByLabel('Rules').fill('# Be kind\n- No ads')
    await page.getByLabel('Accent colour').fill('#3366ff')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    const visitor = await server.open()
    await visitor.page.goto('/')
    await visitor.page.getByRole('link', { name: 'Clips of Ours, home' }).waitFor()
    await visitor.page.getByRole('link', { name: 'Rules of Clips of Ours' }).click()
    await visitor.page.getByRole('heading', { name: 'Be kind' }).waitFor()
    await expect.poll(() => visitor.page.title()).toBe('Rules · Clips of Ours')
    const accent = () =>
      visitor.page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--volt').trim(),
      )
    await expect.poll(accent).not.toBe('#c8ff3e')
    await visitor.page.context().close()
    await call('site.edit', { name: 'Clutch', accent: null })
  })

  longTest('close the door but for invites', async () => {
    await call('site.edit', { registration: 'invite' })
    await page.goto('/admin/members?show=invites')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('textbox', { name: 'Invite link' }).inputValue()
    const code = link.slice(link.indexOf('=') + 1)
    expect(link).toBe(`${server.origin}/auth#invite=${code}`)
    await page.getByRole('heading', { name: 'Others cannot open this link' }).waitFor()
    await page.getByText(/which on every device means that device itself/).waitFor()
    expect(await auditPage(page)).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Invite link' }).count()).toBe(0)
    const visitor = await server.open()
    await visitor.page.goto('/auth?tab=register')
    await visitor.page.getByText('You need an invite link to register here.').waitFor()
    // As links were made before.
    await visitor.page.goto(`/auth?tab=register&invite=${code}`)
    await visitor.page.getByLabel('Username').waitFor()
    const leaks: string[] = []
    visitor.page.on('request', (request) => {
      const { referer = '' } = request.headers()
      if (`${request.url().replace(/#.*/, '')} ${referer}`.includes(code)) leaks.push(request.url())
    })
    await visitor.page.goto('/')
    await visitor.page.goto(link)
    await visitor.page.getByLabel('Username').waitFor()
    expect(visitor.page.url()).toBe(`${server.origin}/auth?tab=register`)
    await visitor.page.reload()
    await visitor.page.getByLabel('Username').fill('invited')
    await visitor.page.getByLabel('Email').fill('invited@example.org')
    await visitor.page.getByLabel('Display Name').fill('Invited')
    await visitor.page.getByLabel('Password', { exact: true }).fill('correct horse')
    await visitor.page.getByLabel('Confirm Password').fill('correct horse')
    await visitor.page.getByRole('button', { name: 'Register', exact: true }).click()
    await visitor.page.getByText('Account created!').waitFor()
    expect(leaks).toEqual([])
    await visitor.page.context().close()
    const late = await server.open()
    await late.page.goto(link)
    await late.page.getByText('This invite link is used up or too old.').waitFor()
    await late.page.context().close()
    await call('site.edit', { registration: 'open' })
  })
})
