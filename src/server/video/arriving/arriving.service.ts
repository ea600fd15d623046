import { setTimeout as wait } from 'node:timers/promises'
import { requireUser } from '#server/account/user/user.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { UPLOAD_SILENCE_SECONDS } from '#shared/limits.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { canManage, canSeeOwner } from '../video/video.access.ts'
import { NO_SUCH_VIDEO } from '../video/video.service.ts'
import { findVisibleArriving } from './arriving.access.ts'
import { type ArrivingUpload, countChunks, findArrivingUpload } from './arriving.queries.ts'
import type { ArrivingStreams } from './arriving-streams.ts'

/** Viewers hear within 5 s that an upload has broken off. */
const LOOK_MS = 1000
const FINAL: readonly Arriving['state'][] = ['ready', 'failed', 'cancelled']

type Asking = { id: number; viewer: Viewer | undefined }
type Deps = { db: Database; arriving: ArrivingStreams }

/** @throws `not-found`, also when not visible */
export async function requireArriving(deps: Deps, asking: Asking): Promise<Arriving> {
  const upload = await findVisibleArriving(deps.db, asking)
  if (!upload) throw new AppError('not-found', NO_SUCH_VIDEO)
  return describe(deps, { upload, ...asking })
}

/**
 * The current state at once, then each change, until the video plays or the upload is over.
 * @param signal ends it
 */
export async function* followArriving(
  ctx: Pick<Context, 'db' | 'arriving'>,
  { signal, ...asking }: Asking & { signal: AbortSignal },
): AsyncGenerator<Arriving> {
  let told: Arriving | undefined
  while (!signal.aborted) {
    const upload = await findVisibleArriving(ctx.db, asking)
    const state = upload
      ? await describe(ctx, { upload, ...asking })
      : told && { ...told, state: await findEnd(ctx.db, asking.id) }
    if (!state) throw new AppError('not-found', NO_SUCH_VIDEO)
    if (JSON.stringify(state) !== JSON.stringify(told)) yield state
    told = state
    if (FINAL.includes(state.state)) return
    await wait(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}

/** For those who have seen it: who has lost access learns no more than that it is gone. */
async function findEnd(db: Database, id: number): Promise<'failed' | 'cancelled'> {
  const upload = await findArrivingUpload(db, id)
  return upload?.state === 'failed' || upload?.videoState === 'failed' ? 'failed' : 'cancelled'
}

async function describe(
  { db, arriving }: Deps,
  { upload, id, viewer }: Asking & { upload: ArrivingUpload },
): Promise<Arriving> {
  const { userId, title, description, chunkCount } = upload
  const state = stateOf(upload)
  const stream = state === 'ready' ? undefined : streamOf(arriving, { id, upload })
  const head = stream?.head()
  const isNever = stream?.over() === 'unplayable'
  const chunks = upload.state === 'receiving' ? await countChunks(db, upload.id) : chunkCount
  return {
    ...{ id, title, description, state },
    channel: canSeeOwner(upload, viewer) ? await requireUser(db, { id: userId, viewer }) : null,
    isOwn: viewer !== undefined && viewer.id === userId && canManage(upload, viewer),
    percent: Math.floor((chunks / chunkCount) * 100),
    plays: isNever ? 'no' : head && stream?.seconds() ? 'yes' : 'unknown',
    arrivedSeconds: stream?.seconds() ?? 0,
    durationSeconds: head?.durationSeconds || null,
  }
}

/** Reading the state begins to make the stream: somebody has opened the page. */
function streamOf(
  streams: ArrivingStreams,
  { id, upload }: { id: number; upload: ArrivingUpload },
) {
  try {
    return streams.streamOf(id, upload)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'busy') return undefined
    throw error
  }
}

function stateOf({ state, aliveAt, videoState }: ArrivingUpload): Arriving['state'] {
  if (state === 'finalizing') return 'finishing'
  if (state === 'completed') return videoState === 'ready' ? 'ready' : 'preparing'
  const silentMs = aliveAt === null ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(aliveAt)
  return silentMs > UPLOAD_SILENCE_SECONDS * 1000 ? 'paused' : 'arriving'
}
