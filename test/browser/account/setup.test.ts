import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { longTest } from '#test/support/long-form.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const server = setUpHostedSite()

async function fillAndRegister(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByLabel('Display Name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
}

const isAdmin = async (page: Page) => (await (await page.request.get('/api/user')).json()).isAdmin

test('the printed link makes an admin and keeps its code out of the address and of every other request', async () => {
  const code = await server.setupCode()
  const visitor = await server.open()
  await visitor.page.goto('/auth?tab=register')
  await visitor.page.getByText(/This site has no admin yet/).waitFor()
  expect(await visitor.page.content()).not.toContain(code)
  await fillAndRegister(visitor.page, 'early')
  await visitor.page.waitForURL('/')
  expect(await isAdmin(visitor.page)).toBe(false)
  await visitor.page.context().close()

  const { page, problems } = await server.open()
  const leaks: string[] = []
  page.on('request', (request) => {
    const address = request.isNavigationRequest() ? '' : request.url()
    if (`${address} ${request.headers().referer}`.includes(code)) leaks.push(request.url())
  })
  await page.goto(`/auth?setup=${code}`)
  await page.getByText('You will be the admin of this site.').waitFor()
  expect(page.url()).toBe(`${server.origin}/auth?tab=register`)
  // It outlives a look at the other tab and a reload, but stays out of the address.
  await page.getByRole('tab', { name: 'Login' }).click()
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.reload()
  await page.getByText('You will be the admin of this site.').waitFor()
  await fillAndRegister(page, 'chief')
  await page.waitForURL('/admin/welcome')
  expect(await isAdmin(page)).toBe(true)
  expect(leaks).toEqual([])
  expect(problems).toEqual([])
})

longTest('a link that was used says so', async () => {
  const { page } = await server.open()
  await page.goto(`/auth?setup=${await server.setupCode()}`)
  await page.getByLabel('Username').waitFor()
  expect(await page.getByText(/admin/).count()).toBe(0)
  await fillAndRegister(page, 'late')
  await page.getByText('This setup link is used or too old.').waitFor()
})
