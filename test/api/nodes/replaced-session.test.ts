import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldestSessions } from '#server/account/auth/auth.queries.ts'
import { confirmSession } from '#server/account/auth/auth.service.ts'
import {
  createSessionStore,
  findSession,
  type SessionStore,
  sessionIdOf,
  startSession,
} from '#server/account/auth/lucia.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { SESSIONS_MAX } from '#shared/limits.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { addRow } from '#test/support/rows.ts'

type Node = { db: Database; sessions: SessionStore }

let url: string
let nodes: [Node, Node]
let userId: number
let token: string
let count = 0

beforeAll(async () => {
  url = await createMigratedDatabase()
  const open = (): Node => {
    const db = openPostgresDatabase(url)
    return { db, sessions: createSessionStore(db) }
  }
  nodes = [open(), open()]
})
beforeEach(async () => {
  const username = `ann-${++count}`
  userId = await addRow(nodes[0].db, 'users', {
    ...{ username, displayName: username, email: `${username}@example.org` },
    ...{ password: '-', isAdmin: 0, createdAt: timestamp() },
  })
  token = await begin(nodes[0])
})
afterAll(async () => {
  for (const { db } of nodes) await db.destroy()
  await dropDatabase(url)
})

const begin = ({ sessions }: Node) =>
  startSession(sessions, { userId, rememberMe: false, userAgent: null })

/** @returns the new token that the browser is sent, if any */
async function confirm({ db, sessions }: Node): Promise<string | undefined> {
  const session = await findSession(sessions, token)
  if (!session) throw new Error('The session is over.')
  let sent: string | undefined
  const write = (value: string) => {
    sent = value
  }
  await confirmSession({ db, sessionCookie: { write, clear: () => {} } }, session)
  return sent
}

test('what one node replaced, another one takes for some seconds, without the confirmation', async () => {
  const [one, other] = nodes
  const sent = (await confirm(one)) ?? ''
  const old = await findSession(other.sessions, token)
  const now = await findSession(other.sessions, sent)
  expect(old).toMatchObject({ isReplaced: true, confirmedAt: null, id: now?.id })
  expect(now).toMatchObject({ isReplaced: false, confirmedAt: expect.any(String) })
})

test('two nodes that are asked at the same time send the browser one new token', async () => {
  const answers = await Promise.all(nodes.map(confirm))
  const sent = answers.filter((one) => one !== undefined)
  expect(sent).toHaveLength(1)
  const session = await findSession(nodes[1].sessions, sent[0] ?? '')
  expect(session?.confirmedAt).toEqual(expect.any(String))
})

test('sign-ins at two nodes at the same time leave as many sessions as a member may have', async () => {
  const signIn = async (node: Node) => {
    const keep = sessionIdOf(await begin(node))
    await deleteOldestSessions(node.db, { userId, keep, max: SESSIONS_MAX })
  }
  const all = Array.from({ length: 30 }, (_, at) => signIn(nodes[at % 2 ? 1 : 0]))
  await Promise.all(all)
  await signIn(nodes[0])
  const rows = await nodes[1].db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .execute()
  expect(rows).toHaveLength(SESSIONS_MAX)
})
