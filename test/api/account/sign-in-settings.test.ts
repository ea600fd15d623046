import { expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { SignInSettings } from '#shared/schemas/sign-in.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)

const { ask, refusal } = callsOf(site)

test('an admin changes how members sign in, after the password, and the log says which settings', async () => {
  const unconfirmed = await site.addMember('boss', { isAdmin: true, isConfirmed: false })
  expect(await refusal(unconfirmed, 'signIn.edit', { passwordMin: 12 })).toBe(
    '403 Please confirm your password first.',
  )
  const secret = { userId: admin.id, secret: 'A'.repeat(32), lastStep: 0, createdAt: timestamp() }
  await addRows(site.db, 'timeCodes', secret)
  const edited = await ask<SignInSettings>(admin, 'signIn.edit', {
    passwordMin: 12,
    secondFactorFor: 'admins',
    secondFactorFrom: '2027-01-01T00:00:00.000Z',
  })
  expect(edited).toEqual({
    passwordMin: 12,
    passwordsFor: 'everybody',
    providersFirst: false,
    secondFactorFor: 'admins',
    secondFactorFrom: '2027-01-01T00:00:00.000Z',
    needsHttps: false,
  })
  expect(await ask(undefined, 'signIn.ways')).toMatchObject({ passwordMin: 12 })
  const log = await ask<{ items: object[] }>(admin, 'audit.list', { action: 'site.edit-sign-in' })
  expect(log.items[0]).toMatchObject({
    targetName: 'passwordMin, secondFactorFor, secondFactorFrom',
  })
})

test('values out of bounds, and those that another admin changed meanwhile, are refused', async () => {
  for (const passwordMin of [5, 65, 8.5]) {
    expect(await refusal(admin, 'signIn.edit', { passwordMin })).toBe(
      '400 passwordMin must be a whole number from 6 to 64.',
    )
  }
  const { passwordMin } = await ask<SignInSettings>(admin, 'signIn.settings')
  const edit = { passwordMin: 10, was: { passwordMin: passwordMin + 1 } }
  expect(await refusal(admin, 'signIn.edit', edit)).toMatch(/^409 Changed by somebody else/)
  expect(await ask(admin, 'signIn.settings')).toMatchObject({ passwordMin })
})
