import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })

test('selected videos are ordered by keys and exported as one', async () => {
  const { page, problems } = await server.open()
  await register(page, 'editor')
  const clip = await makeClip({ path: join(server.dataFolder, 'clip.mp4'), seconds: 3 })
  for (const title of ['Round one', 'Round two']) await uploadClip(page, clip, { title })
  await page.goto('/studio')
  for (const title of ['Round one', 'Round two']) {
    const box = page.getByRole('checkbox', { name: `Select ${title}` })
    // The list is drawn anew as the work on its videos ends.
    await box.click()
    await expect.poll(() => box.isChecked()).toBe(true)
  }
  await page.getByRole('button', { name: 'Export as one video' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export as one video' })
  await dialog.getByText('0:07 of 10:00').waitFor()
  const names = dialog.getByRole('listitem')
  expect(await names.first().innerText()).toContain('Round two')
  await dialog.getByRole('button', { name: 'Move Round two' }).focus()
  for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
  expect(await names.first().innerText()).toContain('Round one')
  expect(await auditPage(page)).toEqual([])
  // Another order is not thrown away unasked.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()

  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByText('Title must be at least 3 characters').waitFor()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Both rounds')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByText('Export started').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Both rounds' }).waitFor()
  expect(problems).toEqual([])
})
