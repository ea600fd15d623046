import { connection } from '#client/platform/connection.ts'
import { CONNECTION_LOST } from '#client/platform/error-message.ts'
import { onForgetMember } from '#client/platform/forget-member.ts'
import { notify } from '#client/platform/notify.tsx'
import { setTitleProgress } from '#client/platform/page-arrival.ts'
import { ownWork } from '#client/platform/video/own-work.ts'
import { trpcClient, trpcUtils } from '#client/trpc.ts'
import { VIDEO_STATE_WORDS } from '#shared/video-state.ts'
import { createHttpTransport, rethrowCallError } from '../transfer/http-transport.ts'
import { findStorage, uploadMemory } from '../transfer/upload-memory.ts'
import { UploadCallError } from '../transfer/upload-transport.ts'
import { createOtherTabs, tabName } from './other-tabs.ts'
import { needsTab, type QueueItem } from './queue-item.ts'
import { showSystemNotification } from './system-notification.ts'
import { holdTrayFor, noteStopping } from './tray/tray-request.ts'
import { createUploadQueue } from './upload-queue.ts'

const ANNOUNCE_MS = 20_000

const otherTabs = createOtherTabs(findStorage(), tabName())

/** One per tab; lives as long as the document. */
export const uploadQueue = createUploadQueue({
  client: trpcClient,
  transport: createHttpTransport(trpcClient),
  memory: uploadMemory,
  otherTabs,
  work: ownWork,
  confirmMember,
  onSessionOver: () => trpcUtils.auth.currentUser.setData(undefined, null),
  onAllReady: notifyReady,
  onVideos: () => void trpcUtils.video.invalidate(),
})

uploadQueue.subscribe(() => {
  const { items } = uploadQueue.snapshot()
  noteStopping(uploadQueue.all().filter(needsTab).length)
  holdTrayFor(items.length > 0 ? uploadQueue.memberId() : undefined)
  setTitleProgress(items.some(needsTab) ? `${uploadQueue.totals().percent}%` : undefined)
})

onForgetMember(() => uploadQueue.setMember(undefined))

addEventListener('beforeunload', (event) => {
  const isUnsaved = uploadQueue.snapshot().items.some((item) => item.isUnsaved)
  if (isUnsaved || uploadQueue.all().some(needsTab)) event.preventDefault()
})
addEventListener('pagehide', () => otherTabs.announce([]))
connection.onBack(uploadQueue.retryNow)
// Entries expire.
setInterval(() => otherTabs.refresh(), ANNOUNCE_MS)

/** Another tab may have signed in another member. */
async function confirmMember(userId: number): Promise<void> {
  // A query would wait silently, but the upload has to show the wait.
  if (connection.isLost()) throw new UploadCallError(CONNECTION_LOST)
  const user = await trpcClient.auth.currentUser.query().catch(rethrowCallError)
  trpcUtils.auth.currentUser.setData(undefined, user)
  if (user?.id !== userId) throw new UploadCallError('Not signed in', { status: 401 })
}

const ofOne = (title: string) => ({
  ready: `${title} is uploaded and can be watched.`,
  pending: `${title} is waiting for approval.`,
  unseen: `${title} is uploaded, but not to be seen yet. The Studio says why.`,
})

const ofMany = (count: number) => ({
  ready: `${count} videos are uploaded and can be watched.`,
  pending: `${count} videos are waiting for approval.`,
  unseen: `${count} videos are uploaded, but not to be seen yet. The Studio says why.`,
})

function notifyReady(ready: QueueItem[]): void {
  const [first] = ready
  const isUnseen = ready.every(({ sentence }) => sentence !== undefined)
  const isPending = ready.every(({ sentence }) => sentence === VIDEO_STATE_WORDS.pending)
  const title = isUnseen ? 'Uploaded' : 'Ready to watch'
  const sentences = ready.length === 1 ? ofOne(`“${first?.details.title}”`) : ofMany(ready.length)
  const message = isUnseen ? sentences[isPending ? 'pending' : 'unseen'] : sentences.ready
  notify({ title, message })
  showSystemNotification(title, message)
}
