import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError } from '../errors.ts'
import { type MediaStore, StoreError } from './media-store.ts'

const CHECK_MS = 5000
const LATE = 'The store of videos has not answered yet.'

/**
 * @returns a problem that may pass
 * @throws ConfigError for a wrong bucket or key
 */
export async function checkMediaStore({ list, remote }: MediaStore): Promise<string | undefined> {
  if (!remote) return undefined
  const asking = list('media/')[Symbol.asyncIterator]().next()
  const answer = asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  const failure = await Promise.race([answer, pause(CHECK_MS, LATE, { ref: false })])
  if (failure === LATE) return remote.problem() ?? LATE
  if (failure instanceof StoreError && failure.reason === 'refused') {
    throw new ConfigError(`MEDIA_STORE cannot be used. ${failure.message}`)
  }
  return remote.problem()
}
