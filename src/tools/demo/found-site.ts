import { hashPassword } from '#server/account/auth/password.ts'
import { fillDatabase, openDatabase } from '#server/platform/db/database.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { makeMembers, type SeedMember } from '#tools/seed/members.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'
import type { SeedSubscription } from '#tools/seed/reactions.ts'
import { createRowInserts } from '#tools/seed/row-inserts.ts'
import type { Community } from './life.ts'
import { makePlaylists } from './playlists.ts'

const TAGLINE = 'Twelve friends and their clips'

/**
 * Makes a new site with members who follow each other, before its server starts; the first one is its admin. Uploads
 * wait for approval until they have their past.
 */
export async function foundSite(input: {
  dataFolder: string
  members: number
  seed: number
  until: number
  password: string
}): Promise<Community> {
  const { dataFolder, seed, until } = input
  const db = openDatabase(dataFolder)
  try {
    await upgradeDatabase(db, dataFolder)
    const settings = { uploadsNeedApproval: 1, tagline: TAGLINE } as const
    await db.updateTable('siteSettings').set(settings).execute()
  } finally {
    await db.destroy()
  }
  const password = await hashPassword(input.password)
  const { members, subscriptions } = fillDatabase(dataFolder, (writer) => {
    const given = { count: input.members, firstId: writer.nextId('users'), until }
    const members = makeMembers({ ...given, taken: new Set() }, createRandom(seed, 'members'))
    const subscriptions = befriend(members, until, createRandom(seed, 'subscriptions'))
    const inserts = createRowInserts(writer)
    for (const [index, member] of members.entries()) {
      const subscriberCount = subscriptions.filter(({ channel }) => channel === member).length
      inserts.member(member, { password, subscriberCount, isAdmin: index === 0 ? 1 : 0 })
    }
    for (const subscription of subscriptions) inserts.subscription(subscription)
    return { members, subscriptions }
  })
  const filled = openDatabase(dataFolder)
  const lists = await makePlaylists(filled, members).finally(() => filled.destroy())
  return { members, subscriptions, lists, until, seed }
}

/** Whom each follows: some of the others, as in any small community. */
function befriend(members: SeedMember[], until: number, random: Random): SeedSubscription[] {
  return members.flatMap((subscriber) =>
    random
      .distinct(random.whole(4, 9), members.length)
      .map((index) => members[index] as SeedMember)
      .filter((channel) => channel !== subscriber)
      .map((channel) => {
        const possible = Math.max(subscriber.joinedAt, channel.joinedAt)
        const createdAt = Math.floor(possible + random.fraction() * (until - possible))
        return { subscriber, channel, createdAt }
      }),
  )
}
