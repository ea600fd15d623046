import { sessionIdOf } from '#server/account/auth/lucia.ts'
import { renewRecoveryCodes } from '#server/account/recovery-code/recovery-code.service.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { addRows } from './rows.ts'
import type { TestMember, TestSite } from './test-site.ts'

/**
 * Begins the sign-in of a member who has to enter a code.
 * @returns the cookie of the browser, and a code that completes the sign-in
 */
export async function addBegunSignIn(
  { db }: Pick<TestSite, 'db'>,
  member: Pick<TestMember, 'id'>,
): Promise<{ cookie: string; code: string }> {
  const token = `begun-${member.id}`
  await addRows(db, 'signInSteps', {
    id: sessionIdOf(token),
    kind: 'second-factor',
    userId: member.id,
    data: JSON.stringify({ rememberMe: false, method: 'password', challenge: 'AAAA' }),
    expiresAt: timestamp(new Date(Date.now() + 60_000)),
  })
  const [code = ''] = await renewRecoveryCodes(db, member.id)
  return { cookie: `clutch-sign-in=${token}`, code }
}
