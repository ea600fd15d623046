import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'
import { membersTold } from './second-factor.events.ts'
import { deleteSessionsWithout, insertNotices, listUntold } from './second-factor.queries.ts'
import { describeRequiredFrom } from './second-factor.service.ts'

const STEP_ROWS = 200

type Deps = Pick<AppDeps, 'db' | 'live' | 'closing'>

/**
 * Notifies members before a second factor becomes required. From then on, ends the sessions of members without one, so
 * that they set it up when they sign in.
 */
export async function enforceSecondFactor(deps: Deps): Promise<void> {
  const { secondFactorFor, secondFactorFrom } = await findSignInSettings(deps.db)
  if (secondFactorFor === 'nobody') return
  const concerned = { onlyAdmins: secondFactorFor === 'admins', limit: STEP_ROWS }
  if (secondFactorFrom === null || secondFactorFrom <= timestamp()) {
    await repeat(deps, () => deleteSessionsWithout(deps.db, concerned))
    return
  }
  const requiredFrom = secondFactorFrom
  const title = describeRequiredFrom(requiredFrom)
  const message = 'From then on this site requires one to sign in. It is in your settings.'
  await repeat(deps, () =>
    inTransaction(deps.db, async (db) => {
      const userIds = await listUntold(db, { ...concerned, requiredFrom })
      if (userIds.length === 0) return userIds
      await insertNotices(db, { userIds, requiredFrom })
      await membersTold.raise({ db, userIds, title, message })
      return userIds
    }),
  )
}

async function repeat({ live, closing }: Deps, step: () => Promise<number[]>): Promise<void> {
  for (let count = STEP_ROWS; count >= STEP_ROWS && !closing.aborted; ) {
    const userIds = await step()
    live.announce(userIds)
    count = userIds.length
  }
}
