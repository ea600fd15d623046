import { useEffect, useSyncExternalStore } from 'react'
import { uploadQueue } from '../queue/site-queue.ts'
import { requestTray } from '../queue/tray/tray-request.ts'
import { IDLE_PROGRESS } from '../transfer/upload-progress.ts'

const findItem = () => uploadQueue.snapshot().held
const findProgress = () => findItem()?.engine?.progress() ?? IDLE_PROGRESS

/** The form's item of the queue. The tray continues its upload when the form is left. */
export function useFormItem() {
  const item = useSyncExternalStore(uploadQueue.subscribe, findItem)
  const progress = useSyncExternalStore(uploadQueue.subscribe, findProgress)
  useEffect(
    () => () => {
      if (uploadQueue.form.release()) requestTray()
    },
    [],
  )
  return { ...uploadQueue.form, item, progress }
}
