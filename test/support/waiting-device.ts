import { digestOf } from '#server/platform/secret-digest.ts'
import { addRows } from './rows.ts'
import type { TestSite } from './test-site.ts'

/** Asks for a device's token, as with a code that nobody has approved yet. @returns the device code */
export async function addWaitingDevice({ db }: Pick<TestSite, 'db'>): Promise<string> {
  const device = { name: 'clutch on a PC', address: null, days: null }
  await addRows(db, 'signInSteps', {
    id: digestOf('device BBBBCCCC'),
    kind: 'device',
    userId: null,
    data: JSON.stringify({
      ...device,
      requestedAt: '2026-11-21T10:00:00.000Z',
      secretHash: digestOf('secret'),
    }),
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  })
  return 'BBBB-CCCC.secret'
}
