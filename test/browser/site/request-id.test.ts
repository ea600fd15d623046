import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()

const rename = (from: string, to: string) =>
  writeRows(server, (db) => sql.raw(`ALTER TABLE "${from}" RENAME TO "${to}"`).execute(db))

test('a page that the server failed to answer says the name of the request', async () => {
  const videoId = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Owner')
    return (await addVideos(db, [{ userId, title: 'A match' }]))[0]
  })
  const { page } = await server.open()
  const answers = new Map<string, string>()
  page.on('response', (answer) => {
    const id = answer.headers()['x-request-id']
    if (id !== undefined) answers.set(id, answer.url())
  })
  const requestOf = async (scope: string) => {
    const region = page.getByRole('alert').filter({ hasText: scope })
    const text = await region.getByText(/^Request [\da-f]{8}$/).innerText()
    return answers.get(text.replace('Request ', ''))
  }

  await rename('comments', 'elsewhere')
  await page.goto(`/video/${videoId}`)
  expect(await requestOf('Error loading comments: 500')).toContain('comment.list')
  await rename('elsewhere', 'comments')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No comments yet').waitFor()

  await page.goto('/')
  const card = page.getByRole('link', { name: /A match/ }).first()
  await card.waitFor()
  await rename('users', 'elsewhere')
  await card.click()
  await page.getByRole('heading', { name: 'Error Loading Video' }).waitFor()
  expect(await requestOf('Error Loading Video')).toContain('video.get')
  await rename('elsewhere', 'users')

  // What is not the server's doing has no request to look for.
  await page.goto('/video/999')
  await page.getByRole('heading', { name: 'Error Loading Video' }).waitFor()
  expect(await page.getByText(/^Request /).count()).toBe(0)
})
