import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { openNodes } from '#test/support/site-nodes.ts'

let browser: Browser
let nodes: Awaited<ReturnType<typeof openNodes>>
beforeAll(async () => {
  browser = await launchBrowser()
  nodes = await openNodes()
})
afterAll(async () => {
  await browser.close()
  await nodes.close()
})

longTest(
  'the overview lists the nodes of a site, and says when one is not ready or about to stop',
  async () => {
    const one = await nodes.start()
    const { page, problems } = await openPage(browser, { origin: one.origin })
    await register(page, 'chief', await one.setupCode())
    const two = await nodes.start({ env: { DRAIN_SECONDS: '600' } })
    await page.goto('/admin')
    const panel = page.getByRole('region', { name: 'Nodes' })
    const rowOf = ({ port }: { port: number }) =>
      panel.getByRole('listitem').filter({ hasText: `:${port}` })
    await rowOf(one).getByText('(answers you now)').waitFor()
    await rowOf(one).getByText('Serving').waitFor()
    await rowOf(two).getByText('Serving').waitFor()
    const work = join(two.dataFolder, 'work')
    await rename(work, `${work}-away`)
    await rowOf(two).getByText('Not ready').waitFor()
    await rowOf(two).getByText('DATA_DIR/work cannot be written to: ENOENT.').waitFor()
    await rowOf(one).getByText('Serving').waitFor()
    await rename(`${work}-away`, work)
    await rowOf(two).getByText('Serving').waitFor()
    process.kill(two.pid, 'SIGTERM')
    await rowOf(two).getByText('Draining').waitFor()
    await two.stop()
    await rowOf(two).waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
)

longTest(
  'a site on PostgreSQL says at its desk what makes its backups, and offers none',
  async () => {
    const own = await openNodes()
    onTestFinished(() => own.close())
    const node = await own.start()
    const { page, problems } = await openPage(browser, { origin: node.origin })
    await register(page, 'chief', await node.setupCode())
    await page.goto('/admin/backup')
    await page.getByText('back it up with pg_dump').waitFor()
    await page.getByText('No backups yet').waitFor()
    expect(await page.getByText('Make the first one').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Back up now' }).count()).toBe(0)
    expect(problems).toEqual([])
  },
)

test('a site that is one process alone shows nothing of nodes', async () => {
  const site = await openHostedSite()
  const { page } = await openPage(browser, { origin: site.origin })
  await register(page, 'chief', await site.setupCode())
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Last backup' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Nodes' }).count()).toBe(0)
  await site.remove()
})
