import { expect, test } from 'vitest'
import { PHONE } from '#test/support/browser.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

test('an owner names who played along; they hear of it, find it on their channel and remove their name', async () => {
  const mate = await server.open({ viewport: PHONE })
  const mateId = await register(mate.page, 'squadmate')
  const { page, problems } = await server.open()
  const ownerId = await register(page, 'recorder')
  const [videoId] = await writeRows(server, (db) =>
    addVideos(db, [{ userId: ownerId, title: 'The last ace' }]),
  )

  await page.goto('/studio')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  const picker = dialog.getByRole('combobox', { name: 'Add a member' })
  await picker.fill('@squad')
  await page.getByRole('option', { name: 'The squadmate (@squadmate)' }).click()
  await dialog.getByRole('button', { name: 'Remove @squadmate' }).waitFor()
  expect(await auditPage(page)).toEqual([])

  const named = mate.page
  await named.goto('/')
  await named.getByRole('button', { name: /Notifications/ }).click()
  const notice = named
    .getByRole('listitem')
    .filter({ hasText: 'The recorder says you played along in "The last ace"' })
  await notice.getByRole('link', { name: 'View' }).click()
  await named.waitForURL(`/video/${videoId}`)
  await named.getByText('Played with @squadmate').waitFor()
  // The bell's list fades away meanwhile.
  await named.getByRole('heading', { name: 'Notifications' }).waitFor({ state: 'detached' })
  expect(await auditPage(named)).toEqual([])

  await page.goto(`/profile/${mateId}`)
  await page.getByRole('tab', { name: 'Appears in' }).click()
  await page.getByRole('tabpanel').getByRole('link', { name: 'The last ace' }).first().waitFor()
  if (isLongForm) expect(await auditPage(page)).toEqual([])

  await named.getByRole('button', { name: 'Remove my name' }).press('Enter')
  await named.getByRole('dialog').getByRole('button', { name: 'Remove my name' }).click()
  await named.getByText('Played with').waitFor({ state: 'detached' })
  await named.goto(`/profile/${mateId}`)
  await named.getByText('No videos uploaded yet').waitFor()
  expect(await named.getByRole('tab', { name: 'Appears in' }).count()).toBe(0)

  await page.goto(`/video/${videoId}`)
  await page.getByRole('heading', { name: 'The last ace' }).waitFor()
  expect(await page.getByText('Played with').count()).toBe(0)
  expect([...problems, ...mate.problems]).toEqual([])
})
