import { hashPassword } from '#server/account/auth/password.ts'
import { insertInBulk } from '#server/platform/db/bulk-insert.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { makeMembers, type SeedMember } from '#tools/seed/members.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'
import type { SeedSubscription } from '#tools/seed/reactions.ts'
import { createRowInserts, stamp } from '#tools/seed/row-inserts.ts'
import type { Community } from './life.ts'
import { type List, makePlaylists } from './playlists.ts'

const TAGLINE = 'Twelve friends and their best rounds'
const WELCOME = 'What we played this week, from the clutch to the clown car.'
const MEMBERS = 12
/** Time since the last visit of all members. */
const AWAY_MS = 3 * 86_400_000

/** Members are oldest first. */
export function planCommunity({ seed, until }: { seed: number; until: number }): Community {
  const given = { count: MEMBERS, firstId: 1, until, taken: new Set<string>() }
  const members = makeMembers(given, createRandom(seed, 'members'))
  const subscriptions = befriend(members, until, createRandom(seed, 'subscriptions'))
  return { members, subscriptions, seed, until }
}

function befriend(members: SeedMember[], until: number, random: Random): SeedSubscription[] {
  return members.flatMap((subscriber) =>
    random
      .distinct(random.integer(4, 9), members.length)
      .map((index) => members[index] as SeedMember)
      .filter((channel) => channel !== subscriber)
      .map((channel) => {
        const possible = Math.max(subscriber.joinedAt, channel.joinedAt)
        const createdAt = Math.floor(possible + random.fraction() * (until - possible))
        return { subscriber, channel, createdAt }
      }),
  )
}

/**
 * Requires that no server runs. The oldest member is the admin. Uploads wait for approval until
 * they have their history.
 * @returns playlists that fill up as videos are added
 */
export async function foundSite(
  dataFolder: string,
  input: { community: Community; password: string },
): Promise<List[]> {
  const { members, subscriptions } = input.community
  const db = openDatabase(dataFolder)
  try {
    await upgradeDatabase(db, dataFolder)
    const settings = { uploadsNeedApproval: 1, tagline: TAGLINE, welcome: WELCOME } as const
    await db.updateTable('siteSettings').set(settings).execute()
  } finally {
    await db.destroy()
  }
  const password = await hashPassword(input.password)
  insertInBulk(dataFolder, (writer) => {
    const inserts = createRowInserts(writer)
    for (const [index, member] of members.entries()) {
      const subscriberCount = subscriptions.filter(({ channel }) => channel === member).length
      inserts.member(member, { password, subscriberCount, isAdmin: index === 0 ? 1 : 0 })
    }
    for (const subscription of subscriptions) inserts.subscription(subscription)
  })
  const filled = openDatabase(dataFolder)
  try {
    const seenAt = stamp(input.community.until - AWAY_MS)
    const visits = members.map(({ id: userId }) => ({ userId, startedAt: seenAt, seenAt }))
    await filled.insertInto('visits').values(visits).execute()
    return await makePlaylists(filled, members)
  } finally {
    await filled.destroy()
  }
}
