/** Prints a one-time link, also beside a running server. */
import { RESET_HOURS } from '#shared/admin-limits.ts'
import { createPasswordReset } from '../account/member/member.service.ts'
import { readConfig } from '../platform/config.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError } from '../platform/errors.ts'
import { readOneArgument, requireSite, runCommand, say } from './command-line.ts'

const USAGE = 'Say whose password to reset: npm run reset-password -- USERNAME'

await runCommand(async () => {
  const name = readOneArgument(USAGE)
  const { publicUrl, port } = readConfig()
  const db = await openSiteDatabase(requireSite())
  try {
    await requireCurrentSchema(db)
    const member = await db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('username', '=', name)
      .where('deletion', 'is', null)
      .executeTakeFirst()
    if (!member) throw new CommandError(`There is no member named '${name}'.`)
    const { token } = await createPasswordReset(db, { userId: member.id, viewer: null })
    say(
      `With this link ${member.username} sets a new password, once and within ${RESET_HOURS} hours:`,
    )
    say(`  ${publicUrl ?? `http://localhost:${port}`}/reset#${token}`)
    say('They are logged out everywhere.')
    return 0
  } finally {
    await db.destroy()
  }
})
