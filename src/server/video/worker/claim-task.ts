import type { AppDeps } from '#server/platform/deps.ts'
import { HandedBackError } from '../job/job-errors.ts'
import { type JobKind, WORKER_KINDS } from '../job/job-kinds.ts'
import type { ComingTask, HeldTask } from './held-task.ts'
import { createRemoteRunner } from './remote-runner.ts'
import type { KnownWorker } from './worker.access.ts'

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'remote' | 'closing'>
type Asking = { worker: KnownWorker; kinds: JobKind[]; maxHeight: number }

/**
 * Long poll; a job from an earlier call comes first.
 * @param input.gone aborts when the caller disconnects
 */
export async function claimTask(
  { jobs, remote, db, closing }: Deps,
  input: Omit<Asking, 'maxHeight'> & { maxHeight: number | undefined; gone: AbortSignal },
): Promise<HeldTask | undefined> {
  const { worker, gone, maxHeight = Number.MAX_SAFE_INTEGER } = input
  const kinds = input.kinds.filter((kind) => WORKER_KINDS.includes(kind))
  const getsMore = worker.drainedAt === null && kinds.length > 0
  if (getsMore) remote.present.note(worker.id, { kinds, maxHeight })
  else remote.present.forget(worker.id)
  const waiting = AbortSignal.any([AbortSignal.timeout(remote.claimWaitMs), gone, closing])
  const over = new Promise<undefined>((resolve) => {
    waiting.addEventListener('abort', () => resolve(undefined))
  })
  const left = [...remote.coming].find(
    ({ workerId, isAwaited }) => workerId === worker.id && !isAwaited,
  )
  if (!left && !getsMore) return over
  const coming = left ?? askForTask({ jobs, remote, db }, { worker, kinds, maxHeight }, waiting)
  coming.isAwaited = true
  const held = await Promise.race([coming.task, over])
  coming.isAwaited = false
  if (held) {
    remote.coming.delete(coming)
    held.renew()
  }
  return held
}

function askForTask(
  { db, jobs, remote }: Pick<Deps, 'db' | 'jobs' | 'remote'>,
  { worker, kinds, maxHeight }: Asking,
  waiting: AbortSignal,
): ComingTask {
  const { promise: task, resolve } = Promise.withResolvers<HeldTask | undefined>()
  const coming: ComingTask = { workerId: worker.id, task, isAwaited: true }
  const runner = createRemoteRunner(
    { db, remote },
    {
      ...{ worker, kinds, maxHeight },
      onBegin: () => void remote.coming.add(coming),
      onTask(held) {
        resolve(held)
        giveBackUnlessAsked(held, { remote, coming })
      },
      onEnd() {
        remote.coming.delete(coming)
        resolve(undefined)
      },
    },
  )
  jobs.offer(runner, waiting)
  return coming
}

/** Disconnecting is no failure. */
function giveBackUnlessAsked(
  held: HeldTask,
  { remote, coming }: { remote: AppDeps['remote']; coming: ComingTask },
): void {
  const timer = setTimeout(() => {
    if (remote.coming.has(coming)) held.fail(new HandedBackError())
  }, remote.leaseMs / 2)
  held.over.addEventListener('abort', () => clearTimeout(timer))
}
