import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSiteWithPages } from '#test/support/shared-site.ts'

let site: Awaited<ReturnType<typeof openSiteWithPages>>
beforeAll(async () => {
  site = await openSiteWithPages()
})
afterAll(() => site.close())

const rename = (name: string) => site.db.updateTable('siteSettings').set({ name }).execute()

test('the service worker is looked for at each visit, and is another one once the offline page changes', async () => {
  const { headers, body } = await site.get('/service-worker.js')
  expect(headers).toMatchObject({
    ...{ 'cache-control': 'no-cache', 'service-worker-allowed': '/' },
    'content-type': 'text/javascript; charset=utf-8',
  })
  expect(body).toMatch(/^const VERSION = '[\da-f]{12}'$/)
  expect((await site.get('/service-worker.js')).body).toBe(body)
  await rename('Frag Palace')
  expect((await site.get('/service-worker.js')).body).not.toBe(body)
})

test('the offline page has the name of the site, and runs its own script only', async () => {
  await rename('Frag <Palace>')
  const { headers, body } = await site.get('/offline')
  expect(body).toContain('<h1>Frag &lt;Palace&gt; can’t be reached</h1>')
  expect(body).not.toMatch(/ src=|<link|@import|url\(/)
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(body) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test('files that are shared without a service worker are not read, and the upload page says so', async () => {
  const form = {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x--',
  }
  const answer = await site.post('/share', form)
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/upload?share=failed'])
  const opened = await site.get('/share')
  expect([opened.statusCode, opened.headers.location]).toEqual([303, '/upload'])
})

test('the share sheet offers the site for videos of all kinds that it takes', async () => {
  const { share_target: target } = (await site.get('/manifest.webmanifest')).json()
  expect(target).toMatchObject({ action: '/share', method: 'POST' })
  expect(target.params.files[0].accept).toEqual(expect.arrayContaining(['video/*', '.mkv']))
})
