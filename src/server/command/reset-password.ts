/** Prints a one-time link, also beside a running server. */

import { RESET_HOURS } from '#shared/admin-limits.ts'
import { takesPassword } from '../account/way-in/way-in.service.ts'
import { listenToAccounts, listenToProviders } from '../community/community.events.ts'
import { createPasswordReset } from '../desk/member-sign-in/member-sign-in.service.ts'
import { readConfig } from '../platform/config.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError } from '../platform/errors.ts'
import { readArguments, requireOneArgument, requireSite, runCommand, say } from './command-line.ts'

const USAGE =
  'Say whose password to reset: npm run reset-password -- USERNAME. With --all-ways the link is the only way to sign in that is left.'

await runCommand(async () => {
  const { values, positionals } = readArguments({ 'all-ways': { type: 'boolean' } }, USAGE)
  const name = requireOneArgument(positionals, USAGE)
  const allWays = values['all-ways'] ?? false
  const { publicUrl, port } = readConfig()
  const db = await openSiteDatabase(requireSite())
  try {
    await requireCurrentSchema(db)
    listenToAccounts()
    listenToProviders()
    const find = () =>
      db
        .selectFrom('users')
        .select(['id', 'username', 'isAdmin'])
        .where('username', '=', name)
        .where('deletion', 'is', null)
        .executeTakeFirst()
    const member = await find()
    if (!member) throw new CommandError(`There is no member named '${name}'.`)
    const { id: userId, username } = member
    const { token } = await createPasswordReset(db, { userId, viewer: null, allWays })
    say(`With this link ${username} sets a new password, once and within ${RESET_HOURS} hours:`)
    say(`  ${publicUrl ?? `http://localhost:${port}`}/reset#${token}`)
    say('They are logged out everywhere.')
    if (allWays) {
      say('Password, passkeys, authenticator app, linked accounts and API tokens were removed.')
    }
    // A linked account may have given the role.
    const isAdmin = (await find())?.isAdmin === 1
    if (!(await takesPassword(db, { isAdmin }))) {
      say('Members have no passwords on this site: allow them in the desk before the link is used.')
    }
    return 0
  } finally {
    await db.destroy()
  }
})
