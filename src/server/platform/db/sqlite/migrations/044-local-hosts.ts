import { type Kysely, sql } from 'kysely'

type Tables = {
  siteSettings: { id: number; updateAddress: string; localHosts: string }
  identityProviders: { id: number; issuer: string; isLocal: number }
}

const LOCAL_NAME = /^[^.]+$|\.(local|lan|internal|home\.arpa|localhost)$/
const IP_ADDRESS = /^\[|^[\d.]+$/

/**
 * One list of hosts on the local network for all requests of the server. Providers had a switch, and the
 * address for updates needed none.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`ALTER TABLE "siteSettings" ADD COLUMN "localHosts" TEXT NOT NULL DEFAULT '[]'`.execute(
    db,
  )
  const providers = await db
    .selectFrom('identityProviders')
    .select('issuer')
    .where('isLocal', '=', 1)
    .orderBy('id')
    .execute()
  const { updateAddress } = await db
    .selectFrom('siteSettings')
    .select('updateAddress')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const hosts = providers.map(({ issuer }) => URL.parse(issuer)?.host)
  const update = URL.parse(updateAddress)
  if (update) {
    const { protocol, hostname, host } = update
    const isLocal = LOCAL_NAME.test(hostname) || IP_ADDRESS.test(hostname)
    if (protocol === 'http:' || isLocal) hosts.push(host)
  }
  const localHosts = JSON.stringify([...new Set(hosts.filter((host) => host !== undefined))])
  await db.updateTable('siteSettings').set({ localHosts }).where('id', '=', 1).execute()
  await sql`ALTER TABLE "identityProviders" DROP COLUMN "isLocal"`.execute(db)
}
