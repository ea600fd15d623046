/**
 * Removes the second factor of a user who lost it and has no recovery code, such as the only admin. Also works beside a running
 * server.
 */

import { listenToAccounts } from '../community/community.events.ts'
import { resetSecondFactor } from '../desk/member-sign-in/member-sign-in.service.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError } from '../platform/errors.ts'
import { readOneArgument, requireSite, runCommand, say } from './command-line.ts'

const USAGE = 'Say whose two-step sign-in to reset: npm run reset-second-factor -- USERNAME'

await runCommand(async () => {
  const name = readOneArgument(USAGE)
  const db = await openSiteDatabase(requireSite())
  try {
    await requireCurrentSchema(db)
    listenToAccounts()
    const member = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('username', '=', name)
      .where('deletion', 'is', null)
      .executeTakeFirst()
    if (!member) throw new CommandError(`There is no member named '${name}'.`)
    await resetSecondFactor(db, { userId: member.id, viewer: null })
    say(`${member.username} has no two-step sign-in now, and is logged out everywhere.`)
    return 0
  } finally {
    await db.destroy()
  }
})
