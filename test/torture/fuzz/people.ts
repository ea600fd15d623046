import { createHash } from 'node:crypto'
import { createSessionStore, startSession } from '#server/account/auth/lucia.ts'
import { hashPassword } from '#server/account/auth/password.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { addRows } from '#test/support/rows.ts'
import { storeFiles, withStoreOf } from '#test/support/stored-files.ts'
import type { Person } from './fuzz-request.ts'

export const PASSWORD = 'correct horse'
const TOKENS = { upload: 'clutch_fuzz-upload', read: 'clutch_fuzz-read' } as const
const NAMES = ['admin', 'admin-two', 'member', 'other', 'banned', 'ended'] as const
const VIDEOS_LEAST = 12

export type Identities = Record<Person, [string, string][]>

/**
 * Puts back what the requests so far took away: everybody is there, signed in (or banned, or no longer), and
 * there are videos. @returns the headers with which each says who they are
 */
export async function restorePeople(db: Database, dataFolder: string): Promise<Identities> {
  const password = await hashPassword(PASSWORD)
  const ids = new Map<string, number>()
  const createdAt = timestamp()
  for (const name of NAMES) {
    const state = {
      isAdmin: name.startsWith('admin') ? (1 as const) : (0 as const),
      bannedAt: name === 'banned' ? createdAt : null,
      banReason: name === 'banned' ? 'Cheating' : null,
      password,
    }
    const account = { username: name, email: `${name}@example.org`, displayName: name, createdAt }
    const { id } = await db
      .insertInto('users')
      .values({ ...account, ...state })
      .onConflict((conflict) => conflict.doUpdateSet(state))
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(name, id)
  }
  await restoreVideos(db, { ids, dataFolder })
  await restoreTokens(db, ids.get('member') ?? 0)
  const sessions = createSessionStore(db)
  const signIn = async (name: (typeof NAMES)[number]): Promise<[string, string][]> => {
    const userId = ids.get(name) ?? 0
    const token = await startSession(sessions, { userId, rememberMe: false, userAgent: 'Fuzz' })
    if (name === 'ended') await db.deleteFrom('sessions').where('userId', '=', userId).execute()
    return [['cookie', `clutch=${token}`]]
  }
  return {
    visitor: [],
    member: await signIn('member'),
    other: await signIn('other'),
    admin: await signIn('admin'),
    banned: await signIn('banned'),
    ended: await signIn('ended'),
    'upload-token': [['authorization', `Bearer ${TOKENS.upload}`]],
    'read-token': [['authorization', `Bearer ${TOKENS.read}`]],
    nonsense: [['cookie', 'clutch=nonsense']],
  }
}

async function restoreVideos(
  db: Database,
  { ids, dataFolder }: { ids: Map<string, number>; dataFolder: string },
): Promise<void> {
  const { count } = await db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('processingState', '=', 'ready')
    .executeTakeFirstOrThrow()
  for (let missing = VIDEOS_LEAST - count; missing > 0; missing--) {
    const userId = ids.get(missing % 2 ? 'member' : 'other') ?? 0
    const mediaKey = crypto.randomUUID().replaceAll('-', '')
    await withStoreOf({ dataFolder }, (site) =>
      storeFiles(site, mediaKey, { 'video.mp4': 'bytes' }),
    )
    await addRows(db, 'videos', {
      userId,
      mediaKey,
      videoUrl: `/media/${mediaKey}/video.mp4`,
      title: `Clutch on Mirage ${missing}`,
      publishedAt: timestamp(),
      processingState: 'ready',
      isAnonymous: missing % 5 === 0 ? 1 : 0,
      contentApproved: missing % 7 === 0 ? 0 : 1,
    })
  }
}

async function restoreTokens(db: Database, userId: number): Promise<void> {
  for (const [scope, token] of Object.entries(TOKENS)) {
    const tokenHash = createHash('sha256').update(token).digest('hex')
    await db.deleteFrom('apiTokens').where('tokenHash', '=', tokenHash).execute()
    const row = { userId, name: scope, scope: scope as keyof typeof TOKENS, tokenHash }
    await addRows(db, 'apiTokens', { ...row, createdAt: timestamp() })
  }
}
