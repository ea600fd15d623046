import { expect } from 'vitest'
import { readHeld } from '#server/account/room/room.service.ts'
import type { HeldPartName } from '#shared/schemas/held.schemas.ts'
import type { TestSite } from './test-site.ts'

type Holder = { id: number }

/** What a member holds: in all, and by part. What triggers count has to be the sum of the parts. */
export async function held({ db, deps }: TestSite, { id }: Holder) {
  const { heldBytes, plannedBytes, parts } = await readHeld(db, { config: deps.config, userId: id })
  const users = db.selectFrom('users').select('storageBytes').where('id', '=', id)
  expect((await users.executeTakeFirstOrThrow()).storageBytes).toBe(heldBytes)
  const of = (name: HeldPartName) => parts.find(({ part }) => part === name)?.bytes ?? 0
  return { heldBytes, plannedBytes, of }
}

/** Leaves a member so many bytes of quota beside what is held, or is planned; null for no quota of their own. */
export async function leaveRoom(site: TestSite, { id }: Holder, bytes: number | null) {
  const { heldBytes, plannedBytes } = await held(site, { id })
  const quotaBytes = bytes === null ? null : heldBytes + plannedBytes + bytes
  await site.db.updateTable('users').set({ quotaBytes }).where('id', '=', id).execute()
}
