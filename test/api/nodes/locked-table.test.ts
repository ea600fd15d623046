import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { hasPgbouncer, startPgbouncer } from '#test/support/pgbouncer.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

/** More than three times the connections of a node. */
const READERS = 30
const CONNECTIONS_PER_KIND = 5
const LOCK_WAIT_MS = 2000
/** Less than a statement waits for an answer, and for a machine that has other work. */
const LATEST_MS = 2 * LOCK_WAIT_MS

type Way = { url: string; directUrl?: string; stop?: () => Promise<void> }

/** How a site comes to its database; without PgBouncer the statements for it go to the server itself. */
const WAYS: [string, (direct: string) => Promise<Way>][] = [
  ['the server itself', async (direct) => ({ url: direct })],
  [
    'a pooler of transactions',
    async (direct) =>
      hasPgbouncer
        ? { ...(await startPgbouncer(direct)), directUrl: direct }
        : { url: direct, directUrl: direct },
  ],
]

describe.each(WAYS)('with %s, while another client has locked the comments', (_name, find) => {
  let direct: string
  let way: Way
  let site: TestSite
  let ann: TestMember
  let other: pg.Client
  let videoId: number
  beforeAll(async () => {
    direct = await createMigratedDatabase()
    way = await find(direct)
    site = await openTestSite({ databaseUrl: way.url, databaseDirectUrl: way.directUrl })
    ann = await site.addMember('ann')
    videoId = await site.addVideo(ann, { title: 'The long match' })
    other = new pg.Client({ connectionString: direct })
    await other.connect()
  })
  afterAll(async () => {
    await other.end()
    await site.close()
    await way.stop?.()
    await dropDatabase(direct)
  })

  /** Status and time of a call of a member, which no cache answers. */
  async function timed(url: string, body?: object) {
    const began = performance.now()
    const request = body ? { method: 'POST' as const, body } : {}
    const { statusCode, headers } = await site.call({ url, as: ann, ...request })
    return { status: statusCode, retryAfter: headers['retry-after'], ms: performance.now() - began }
  }
  /** Statements that wait for the lock. */
  async function countWaiting(): Promise<number> {
    const { rowCount } = await other.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
    return rowCount ?? 0
  }
  const comments = () => timed(`/api/videos/${videoId}/comments`)
  const comment = () => timed('/api/comments', { videoId, content: 'Nice' })

  const calls = [
    ['readers', comments, 200],
    ['writers', comment, 201],
  ] as const
  test.each(quickCases(calls, ['readers']))(
    '%s of comments are told to come again, everybody else is served, and then all are',
    async (_, call, done) => {
      expect((await call()).status).toBe(done)
      await other.query('BEGIN; LOCK TABLE "comments" IN ACCESS EXCLUSIVE MODE')
      try {
        const held = Promise.all(Array.from({ length: READERS }, call))
        const paths = [
          '/api/videos',
          `/api/videos/${videoId}`,
          '/api/search?q=match',
          '/api/health',
        ]
        const meanwhile = await Promise.all(paths.map((path) => timed(path)))
        expect(meanwhile.map(({ status }) => status)).toEqual(paths.map(() => 200))
        expect(Math.max(...meanwhile.map(({ ms }) => ms))).toBeLessThan(LOCK_WAIT_MS)
        for (const { status, retryAfter, ms } of await held) {
          expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' })
          expect(ms).toBeLessThan(LATEST_MS)
        }
      } finally {
        await other.query('ROLLBACK')
      }
      const after = await Promise.all(Array.from({ length: READERS }, call))
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([done]))
    },
  )

  /** While somebody changes a table and does not commit. */
  async function whileChanged(table: string, work: () => Promise<void>): Promise<void> {
    await other.query(`BEGIN; ALTER TABLE "${table}" ADD COLUMN "another" integer`)
    try {
      await work()
    } finally {
      await other.query('ROLLBACK')
    }
  }

  longTest(
    'searches that need a table which is being changed are not told one after the other',
    async () => {
      await whileChanged('videos', async () => {
        const held = await Promise.all(
          Array.from({ length: READERS }, (_, at) => timed(`/api/search?q=match${at}`)),
        )
        expect(new Set(held.map(({ status }) => status))).toEqual(new Set([503]))
        expect(Math.max(...held.map(({ ms }) => ms))).toBeLessThan(LATEST_MS)
      })
      expect((await timed('/api/search?q=match')).status).toBe(200)
    },
  )

  longTest(
    'many kinds of calls that need a table are told soon, and leave connections to others',
    async () => {
      const input = (value: object) => encodeURIComponent(JSON.stringify(value))
      const kinds = [
        ...[`/api/videos/${videoId}/comments`, `/api/videos/${videoId}/clips`],
        ...[`/api/users/${ann.id}/notifications`, `/trpc/explore.trending?input=${input({})}`],
        ...[`/trpc/post.list?input=${input({ id: ann.id })}`, '/api/clips'],
      ]
      await whileChanged('comments', async () => {
        const held = Promise.all(
          kinds.flatMap((url) => Array.from({ length: CONNECTIONS_PER_KIND }, () => timed(url))),
        )
        const paths = ['/api/videos', `/api/videos/${videoId}`, '/api/users/1']
        const meanwhile = await Promise.all(paths.map((path) => timed(path)))
        expect(meanwhile.map(({ status }) => status)).toEqual([200, 200, 200])
        for (const { status, ms } of await held) {
          expect(status).toBe(503)
          expect(ms).toBeLessThan(LATEST_MS + LOCK_WAIT_MS / 2)
        }
      })
    },
  )

  longTest('what needs a locked table makes nothing else of its noun wait', async () => {
    const get = (call: string) => timed(`/trpc/${call}?input=%7B%7D`)
    await whileChanged('comments', async () => {
      for (let round = 0; round < 2; round++) {
        const held = Promise.all(Array.from({ length: READERS }, () => get('explore.trending')))
        const games = Array.from({ length: CONNECTIONS_PER_KIND }, () => get('explore.games'))
        expect(new Set((await Promise.all(games)).map(({ status }) => status))).toEqual(
          new Set([200]),
        )
        expect(new Set((await held).map(({ status }) => status))).toEqual(new Set([503]))
      }
    })
  })

  longTest(
    'three kinds of calls that all need the comments leave connections to the others',
    async () => {
      const kinds = [
        comments,
        () => timed(`/api/videos/${videoId}/clips`),
        () => timed(`/api/users/${ann.id}/notifications`),
      ]
      await other.query('BEGIN; LOCK TABLE "comments" IN ACCESS EXCLUSIVE MODE')
      try {
        const ask = () =>
          Promise.all(kinds.flatMap((call) => Array.from({ length: READERS / 3 }, call)))
        expect(new Set((await ask()).map(({ status }) => status))).toEqual(new Set([503]))
        const held = ask()
        await until(async () => (await countWaiting()) >= CONNECTIONS_PER_KIND)
        const meanwhile = await Promise.all(
          ['/api/videos', '/api/health'].map((path) => timed(path)),
        )
        expect(meanwhile.map(({ status }) => status)).toEqual([200, 200])
        expect(Math.max(...meanwhile.map(({ ms }) => ms))).toBeLessThan(LOCK_WAIT_MS / 2)
        expect(new Set((await held).map(({ status }) => status))).toEqual(new Set([503]))
      } finally {
        await other.query('ROLLBACK')
      }
      for (const call of kinds) expect((await call()).status).toBeLessThan(300)
    },
  )
})
