import { watchProgressed } from '#server/video/view/view.events.ts'
import { upsertProgress } from './history.queries.ts'

/** What members watch goes into their history. */
export function listenToWatching(): void {
  watchProgressed.listen(storeProgress)
}

const storeProgress = ({ db, ...progress }: Parameters<typeof watchProgressed.raise>[0]) =>
  upsertProgress(db, progress)
