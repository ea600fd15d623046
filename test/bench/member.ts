import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { readRow } from '#test/support/rows.ts'

/** Of the seeded accounts that one can sign in to. */
const PASSWORD = 'clutch-demo'
/** The first of them is an admin. */
const MEMBER_ID = 2

/** Signs a seeded member in. @returns the cookie */
export async function signIn(
  origin: string,
  dataFolder: string,
  userId = MEMBER_ID,
): Promise<string> {
  const db = openDatabaseToRead(dataFolder)
  const { username } = await readRow(db, 'users', { id: userId })
  await db.destroy()
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`Signing in is answered ${answer.status}.`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
