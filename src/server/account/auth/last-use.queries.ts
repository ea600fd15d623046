import { type Database, timestamp } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'

/** Sessions have no `userAgent` here, because they keep the one that they were begun with. */
export type NotedUse = { address: string | null } & (
  | { kind: 'session'; id: string }
  | { kind: 'token'; id: number; userAgent: string | null }
)

export async function updateLastUsed(db: Database, uses: readonly NotedUse[]): Promise<void> {
  const lastUsedAt = timestamp()
  await writeInPassing(db, async (transaction) => {
    for (const use of uses) {
      const change = { lastUsedAt, address: use.address }
      if (use.kind === 'session') {
        await transaction.updateTable('sessions').set(change).where('id', '=', use.id).execute()
      } else {
        const { id, userAgent } = use
        const ofToken = { ...change, userAgent }
        await transaction.updateTable('apiTokens').set(ofToken).where('id', '=', id).execute()
      }
    }
  })
}
