import { useEffect, useRef, useState } from 'react'
import { renewHere } from '#client/account/settings/push-browser.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { isPageLive, useMayStream, useReconnect } from '#client/platform/live-stream.ts'
import { hasSharedFiles } from '#client/platform/shared-files.ts'
import { setWorkIsLive, takeOwnWork } from '#client/platform/video/own-work.ts'
import { trpc } from '#client/trpc.ts'

const SharedFilesDialog = lazyPart(
  () => import('#client/create/upload/queue/shared-files-dialog.tsx'),
)

/**
 * Refetches notifications, own videos and the squads of an open page. Once the page is idle, it also does the tasks that
 * members need once per visit.
 */
export default function LiveEvents({ userId }: { userId: number }) {
  const utils = trpc.useUtils()
  const isConnected = useRef(false)
  const { status, reset } = trpc.live.onChange.useSubscription(undefined, {
    enabled: useMayStream(),
    onData: (event) => {
      if ('work' in event) {
        takeOwnWork(event.work)
        return
      }
      void utils.notification.invalidate()
      void utils.inbox.invalidate()
      // The first event only means that the stream is open; later ones may concern a comment on the page.
      if (isConnected.current && !isPageLive()) void utils.comment.invalidate()
      if (isConnected.current) {
        void utils.squad.mine.invalidate()
        void utils.squad.get.invalidate()
      }
      isConnected.current = true
    },
  })
  useEffect(() => {
    if (status !== 'pending') setWorkIsLive(false)
  }, [status])
  useEffect(() => () => setWorkIsLive(false), [])
  useReconnect(status, reset)
  const [hasShared, setHasShared] = useState(false)
  useEffect(() => void hasSharedFiles().then(setHasShared), [])
  // If the renewal fails, notifications appear only in the bell.
  useEffect(() => void renewHere(userId).catch(() => undefined), [userId])
  return hasShared && <SharedFilesDialog onClose={() => setHasShared(false)} />
}
