import { hashPassword } from '#server/account/auth/password.ts'
import { fillDatabase, openDatabase } from '#server/platform/db/database.ts'
import { upgradeDatabase } from '#server/platform/db/upgrade.ts'
import { makeMembers, type SeedMember } from '#tools/seed/members.ts'
import { createRandom } from '#tools/seed/random.ts'
import { makeSubscriptions, type SeedSubscription } from '#tools/seed/reactions.ts'
import { createRowInserts } from '#tools/seed/row-inserts.ts'

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
}): Promise<{ members: SeedMember[]; subscriptions: SeedSubscription[] }> {
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
  return fillDatabase(dataFolder, (writer) => {
    const given = {
      count: input.members,
      firstId: writer.nextId('users'),
      until,
      taken: new Set<string>(),
    }
    const members = makeMembers(given, createRandom(seed, 'members'))
    const subscriptions = makeSubscriptions({ members, until }, createRandom(seed, 'subscriptions'))
    const inserts = createRowInserts(writer)
    for (const [index, member] of members.entries()) {
      const subscriberCount = subscriptions.filter(({ channel }) => channel === member).length
      inserts.member(member, { password, subscriberCount, isAdmin: index === 0 ? 1 : 0 })
    }
    for (const subscription of subscriptions) inserts.subscription(subscription)
    return { members, subscriptions }
  })
}
