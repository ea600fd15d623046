import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteEnvironmentProviders } from '#server/account/provider/provider.service.ts'
import { setUpOidcServer } from '#test/support/oidc-provider.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { ORIGIN, openBrowser } from '#test/support/provider-visits.ts'
import { listRows } from '#test/support/rows.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'

const oidc = setUpOidcServer(ORIGIN)
let nodes: TestNodes
let id: number

beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0, localHosts: ['127.0.0.1'] })
  const admin = await nodes.one.addMember('boss', { isAdmin: true })
  const { ask } = callsOf(nodes.one)
  const provider = {
    ...{ kind: 'oidc', name: 'Authentik', issuer: oidc.issuer, clientId: oidc.clientId },
    ...{ clientSecret: oidc.clientSecret, makesAccounts: false },
    ...{ takesProfile: false, guildId: null, roleRules: [] },
  }
  id = (await ask<{ id: number }>(admin, 'provider.create', provider)).id
})
afterAll(() => nodes.close())

test('a sign-in that one node begins, another ends, and each answer works once on all of them', async () => {
  const { one, other } = nodes
  await oidc.signInAs('ann', { preferred_username: 'ann' })
  const browser = openBrowser(one)
  const callback = await browser.visit(await browser.begin({ id }))
  expect(await browser.end(callback, other)).toBe('/auth?step=provider')
  const account = { username: 'ann', email: 'ann@there.example', displayName: 'Ann' }
  expect((await browser.call('provider.register', account, other)).statusCode).toBe(200)
  expect(await browser.user()).toBe('ann')

  const again = await browser.visit(await browser.begin({ id }))
  const cookie = browser.jar.get('clutch-sign-in') ?? ''
  const pages = await Promise.all(
    [one, other].map((node) => {
      const url = `${again.pathname}${again.search}`
      return node.get(url, { headers: { cookie: `clutch-sign-in=${cookie}` } })
    }),
  )
  const places = pages.map(({ headers }) => headers.location).sort()
  expect(places).toEqual(['/', '/auth?step=provider'])
})

test('nodes that start at once note a provider of the environment once', async () => {
  const set = { name: 'Keycloak', issuer: 'https://auth.example', clientId: 'a' }
  await Promise.all(
    [nodes.one, nodes.other].flatMap(({ db }) =>
      [1, 2].map(() => noteEnvironmentProviders(db, [{ ...set, clientSecret: 'x' }])),
    ),
  )
  expect(await listRows(nodes.one.db, 'identityProviders', { source: 'environment' })).toHaveLength(
    1,
  )
})
