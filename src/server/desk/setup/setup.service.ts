import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { listLanOrigins } from '#server/platform/http/connection/lan-origins.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { isLocalHost } from '#shared/local-host.ts'
import {
  type Reach,
  SETUP_STEPS,
  type Setup,
  type SetupStep,
} from '#shared/schemas/desk/setup.schemas.ts'
import { findFirstVideo, findSetupMarks, updateSetupMarks } from './setup.queries.ts'

const FIRST_NAME = 'Clutch'

type Asked = Pick<Context, 'config' | 'db' | 'arrival'>

/** Observed facts override the admin's marks. */
export async function readSetup({ config, db, arrival }: Asked): Promise<Setup> {
  const [marks, firstVideo, site] = await Promise.all([
    findSetupMarks(db),
    findFirstVideo(db),
    findSiteSettings(db),
  ])
  const { name, accent, logoUrl, registration, audience } = site
  const { uploadsNeedApproval, defaultVisibility, maxVideoBytes } = site
  const isDone: Record<SetupStep, boolean> = {
    look: name !== FIRST_NAME || accent !== null || logoUrl !== null,
    members: registration !== 'open' || audience !== 'everybody',
    uploads: uploadsNeedApproval || defaultVisibility !== 'public' || maxVideoBytes !== null,
    reach: config.secureCookies && arrival().proxy !== 'untrusted',
    clip: firstVideo !== null,
  }
  const steps = SETUP_STEPS.map((step) => ({
    name: step,
    state: isDone[step] ? ('done' as const) : (marks[step] ?? ('open' as const)),
  }))
  return { steps, firstVideo }
}

export async function markStep(
  db: Database,
  { step, state }: { step: SetupStep; state: 'open' | 'done' | 'skipped' },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { [step]: _, ...others } = await findSetupMarks(transaction)
    const marks = state === 'open' ? others : { ...others, [step]: state }
    await updateSetupMarks(transaction, marks)
  })
}

export function readReach({
  config,
  arrival,
}: {
  config: Config
  arrival: Context['arrival']
}): Reach {
  const { origin, port, proxy, peer } = arrival()
  const lanOrigins = listLanOrigins(config, port)
  const listensToAll = config.host === '0.0.0.0' || config.host === '::'
  return {
    publicUrl: config.publicUrl ?? null,
    origin,
    lanOrigins,
    loneHost: listensToAll ? null : config.host,
    proxy,
    peer,
    isPublic: !isLocalHost(new URL(config.publicUrl ?? origin).hostname),
  }
}
