import { type Database, timestamp } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'

export type NotedUse = { address: string | null } & (
  | { kind: 'session'; id: string }
  | { kind: 'token'; id: number }
)

export async function updateLastUsed(db: Database, uses: readonly NotedUse[]): Promise<void> {
  const lastUsedAt = timestamp()
  await writeInPassing(db, async (transaction) => {
    for (const use of uses) {
      const change = { lastUsedAt, address: use.address }
      await (use.kind === 'session'
        ? transaction.updateTable('sessions').set(change).where('id', '=', use.id).execute()
        : transaction.updateTable('apiTokens').set(change).where('id', '=', use.id).execute())
    }
  })
}
