import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpPages } from '#test/support/set-up-pages.ts'
import { openNodes } from '#test/support/site-nodes.ts'

const pages = setUpPages()

longTest(
  'the overview lists the nodes of a site, and says when one is not ready or about to stop',
  async () => {
    const nodes = await openNodes()
    onTestFinished(() => nodes.close())
    const one = await nodes.start()
    const { page, problems } = await pages.open({ origin: one.origin })
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
    const { page, problems } = await pages.open({ origin: node.origin })
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
  const { page } = await pages.open({ origin: site.origin })
  await register(page, 'chief', await site.setupCode())
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Last backup' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Nodes' }).count()).toBe(0)
  await site.remove()
})
