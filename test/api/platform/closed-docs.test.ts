import { expect, test } from 'vitest'
import { callsOf } from '#test/support/procedure-call.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'

const site = setUpTestSite()
const admin = setUpAdmin(site)
const { ann } = setUpMembers(site, ['ann'])
const { ask } = callsOf(site)

const ADDRESSES = [
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/start.js',
  '/api/docs/files/swagger-ui.css',
]

test('the description of the API is as closed to visitors as the site', async () => {
  const input = { name: 'Notes', scope: 'read', days: null }
  const { token } = await ask<{ token: string }>(ann, 'apiToken.create', input)
  const headers = { authorization: `Bearer ${token}` }
  const statusesOf = async (options: object) =>
    Promise.all(ADDRESSES.map(async (url) => (await site.get(url, options)).statusCode))
  expect(await statusesOf({})).toEqual([200, 200, 200, 200])
  await ask(admin, 'site.edit', { audience: 'members' })
  for (const url of ADDRESSES)
    expectSentence(await site.get(url), { status: 401, naming: 'sign in' })
  expect(await statusesOf({ as: ann })).toEqual([200, 200, 200, 200])
  expect((await site.get('/api/openapi.json', { headers })).statusCode).toBe(200)
  expect((await site.get('/api/openapi.json', { as: ann })).headers['cache-control']).toMatch(
    /no-store|private|no-cache/,
  )
  await ask(admin, 'site.edit', { audience: 'everybody' })
  expect(await statusesOf({})).toEqual([200, 200, 200, 200])
})
