import { notify } from '#client/platform/notify.tsx'
import { setTitleProgress } from '#client/platform/page-arrival.ts'
import { ownWork } from '#client/platform/video/own-work.ts'
import { trpcClient, trpcUtils } from '#client/trpc.ts'
import { createHttpTransport } from '../transfer/http-transport.ts'
import { findStorage, uploadMemory } from '../transfer/use-upload.ts'
import { createOtherTabs, tabName } from './other-tabs.ts'
import { needsTab, type QueueItem } from './queue-item.ts'
import { showSystemNotification } from './system-notification.ts'
import { createUploadQueue } from './upload-queue.ts'

const ANNOUNCE_MS = 20_000

const otherTabs = createOtherTabs(findStorage(), tabName())

/** The queue of this tab. It goes on for as long as the document is there, whatever page it shows. */
export const uploadQueue = createUploadQueue({
  client: trpcClient,
  transport: createHttpTransport(trpcClient),
  memory: uploadMemory,
  otherTabs,
  work: ownWork,
  onAllReady: notifyReady,
  onVideos: () => void trpcUtils.video.invalidate(),
})

uploadQueue.subscribe(() => {
  const isSending = uploadQueue.snapshot().items.some(needsTab)
  setTitleProgress(isSending ? `${uploadQueue.totals().percent}%` : undefined)
})

addEventListener('beforeunload', (event) => {
  if (uploadQueue.snapshot().items.some(needsTab)) event.preventDefault()
})
addEventListener('pagehide', () => otherTabs.announce([]))
addEventListener('online', uploadQueue.goOn)
// What is announced grows old.
setInterval(() => otherTabs.refresh(), ANNOUNCE_MS)

function notifyReady(ready: QueueItem[]): void {
  const [first] = ready
  const isPending = ready.every(({ sentence }) => sentence !== undefined)
  const what = ready.length === 1 ? `“${first?.details.title}” is` : `${ready.length} videos are`
  const title = isPending ? 'Uploaded' : 'Ready to watch'
  const message = isPending
    ? `${what} waiting for approval.`
    : `${what} uploaded and can be watched.`
  notify({ title, message })
  showSystemNotification(title, message)
}
