/** Also beside a running server. */

import { endSetup } from '../account/auth/setup-code.ts'
import { insertAuditEntry } from '../platform/audit/audit.queries.ts'
import { inTransaction } from '../platform/db/database.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError } from '../platform/errors.ts'
import { readOneArgument, requireSite, runCommand, say } from './command-line.ts'

const USAGE = 'Say whom to make an admin: npm run grant-admin -- USERNAME'

await runCommand(async () => {
  const name = readOneArgument(USAGE)
  const db = await openSiteDatabase(requireSite())
  try {
    await requireCurrentSchema(db)
    const member = await db
      .selectFrom('users')
      .select(['id', 'username', 'isAdmin'])
      .where('username', '=', name)
      .executeTakeFirst()
    if (!member) throw new CommandError(`There is no member named '${name}'.`)
    if (member.isAdmin === 1) {
      say(`${member.username} is an admin already.`)
      return 0
    }
    await inTransaction(db, async (transaction) => {
      await transaction
        .updateTable('users')
        .set({ isAdmin: 1 })
        .where('id', '=', member.id)
        .execute()
      await endSetup(transaction)
      const target = { kind: 'member', id: member.id, name: member.username } as const
      await insertAuditEntry(transaction, { actor: null, action: 'member.grant-admin', target })
    })
    say(`${member.username} is an admin now.`)
    return 0
  } finally {
    await db.destroy()
  }
})
