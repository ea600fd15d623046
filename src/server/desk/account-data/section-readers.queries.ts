/** Readers of the sections that need more than the rows of one table. */
import { listNotifications } from '#server/community/notification/notification-list.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { type DataRow, PAGE_ROWS, section, withNames } from './table-section.queries.ts'

const playlists = section('playlists', 'playlists', {
  owner: 'userId',
  keys: ['id'],
  columns: ['id', 'kind', 'title', 'description', 'visibility', 'createdAt', 'updatedAt'],
})

export async function* readPlaylists(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  for await (const lists of playlists.read(db, person)) {
    for (const list of lists) {
      const items = await db
        .selectFrom('playlistItems')
        .select(['videoId', 'addedAt'])
        .where('playlistId', '=', Number(list.id))
        .orderBy('position')
        .execute()
      yield [{ ...list, items: await withNames(db, { rows: items, person }) }]
    }
  }
}

export async function* readSessions(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('identityProviders', 'identityProviders.id', 'sessions.providerId')
    .select(['sessions.createdAt', 'expiresAt', 'lastUsedAt', 'method', 'address', 'userAgent'])
    .select('identityProviders.name as provider')
    .where('userId', '=', person.id)
    .orderBy('sessions.createdAt')
    .execute()
  yield rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt * 1000).toISOString() }))
}

export async function* readIdentities(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('identities')
    .innerJoin('identityProviders', 'identityProviders.id', 'identities.providerId')
    .select(['identityProviders.name as provider', 'identityProviders.issuer', 'subject'])
    .select(['identities.name', 'avatar', 'grants', 'identities.createdAt', 'lastUsedAt'])
    .select(['checkedAt', 'madeAccount', 'leftAt'])
    .where('userId', '=', person.id)
    .orderBy('identities.id')
    .execute()
  yield rows.map((row) => ({ ...row, grants: JSON.parse(row.grants) }))
}

export async function* readMails(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['kind', 'data', 'createdAt', 'attempts', 'lastError'])
    .where('userId', '=', person.id)
    .orderBy('id')
    .execute()
  yield rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}

export async function* readSquads(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('squadMembers')
    .innerJoin('squads', 'squads.id', 'squadMembers.squadId')
    .select(['squadId', 'squads.name', 'squads.tag', 'role', 'joinedAt', 'openedAt'])
    .where('userId', '=', person.id)
    .where('squads.deletedAt', 'is', null)
    .orderBy('squadId')
    .execute()
}

export async function* readCuts(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .select(['cuts.videoId', 'cuts.sourceVideoId', 'cuts.parts', 'cuts.createdAt'])
    .select('cuts.parkedAt')
    .where('videos.userId', '=', person.id)
    .orderBy('cuts.videoId')
    .execute()
}

export async function* readMontages(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('montages')
    .innerJoin('videos', 'videos.id', 'montages.videoId')
    .select(['montages.videoId', 'montages.transition', 'montages.titleCard'])
    .select('montages.createdAt')
    .where('videos.userId', '=', person.id)
    .orderBy('montages.videoId')
    .execute()
}

/** Reads the notifications that the bell shows, without those whose content is no longer visible. */
export async function* readNotifications(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  for (let cursor: string | undefined; ; ) {
    const asked = { viewer: person, limit: PAGE_ROWS, ...(cursor && { cursor }) }
    const { items, nextCursor } = await listNotifications(db, asked)
    yield items.map(({ id, type, title, message, videoId, postId, squadId, read, createdAt }) => ({
      ...{ id, type, title, message, videoId, postId, squadId, read, createdAt },
    }))
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** Entries per query. No index leads to the entries of a member; reading this many takes some milliseconds. */
const AUDIT_WINDOW = 10_000

const OWN_TARGETS = ['site', 'invite', 'backup']

/**
 * Leaves out the names of admins who acted on the person, and of others and their content on which the person acted
 * as an admin.
 */
export async function* readAudit(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const { lastId } = await db
    .selectFrom('auditLog')
    .select((eb) => eb.fn.max('id').as('lastId'))
    .executeTakeFirstOrThrow()
  for (let afterId = 0; afterId < (lastId ?? 0); afterId += AUDIT_WINDOW) {
    const rows = await db
      .selectFrom('auditLog')
      .select(['id', 'createdAt', 'action', 'actorId', 'targetKind', 'targetId', 'targetName'])
      .select('reason')
      .where((eb) =>
        eb.or([
          eb('actorId', '=', person.id),
          eb.and([eb('targetKind', '=', 'member'), eb('targetId', '=', person.id)]),
        ]),
      )
      .where('id', '>', afterId)
      .where('id', '<=', afterId + AUDIT_WINDOW)
      .orderBy('id')
      .execute()
    yield rows.map(({ id: _, actorId, targetName, ...row }) => {
      const isAboutPerson = row.targetKind === 'member' && row.targetId === person.id
      const isNamed = isAboutPerson || OWN_TARGETS.includes(row.targetKind)
      const isOwnAct = actorId === person.id
      return { ...row, targetName: isNamed ? targetName : null, isOwnAct }
    })
  }
}
