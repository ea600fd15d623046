import { useEffect, useState, useSyncExternalStore } from 'react'
import { hasVideoName } from '#client/create/upload/form/video-file.ts'
import {
  isTrayRequested,
  remembersUploads,
  requestTray,
  subscribeToTrayRequest,
  trayHeldFor,
} from '#client/create/upload/queue/tray/tray-request.ts'
import { look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { fetchAskedChunk } from '#client/platform/missing-chunk.tsx'
import classes from './upload-slot.module.css'

const UploadTray = lazyPart(
  () => import('#client/create/upload/queue/tray/upload-tray.tsx'),
  null,
  null,
)
const takeFiles = () => fetchAskedChunk(() => import('#client/create/upload/queue/take-files.ts'))

/** Accepts dropped and pasted files, and shows uploads. The rest is loaded with the first file. */
export function UploadSlot({ userId }: { userId: number | undefined }) {
  const [isOver, setOver] = useState(false)
  const isRequested = useSyncExternalStore(subscribeToTrayRequest, isTrayRequested)
  const heldFor = useSyncExternalStore(subscribeToTrayRequest, trayHeldFor)
  // Also after the session ended during an upload.
  const shownFor = userId ?? heldFor
  const isMember = userId !== undefined
  useEffect(() => (isMember ? listenForFiles(setOver) : undefined), [isMember])
  return (
    <>
      {isOver && (
        <div className={classes.overlay} aria-hidden>
          <p className={`${classes.hint} ${look('card', 'size22', 'display')}`}>Drop to upload</p>
        </div>
      )}
      {shownFor !== undefined && (isRequested || remembersUploads(shownFor)) && (
        <UploadTray userId={shownFor} />
      )}
    </>
  )
}

/** By name too, as systems lack a type for some formats. */
const isVideoFile = ({ type, name }: File) => type.startsWith('video/') || hasVideoName(name)

/** Ignores events that a component handles, such as a thumbnail field. */
function listenForFiles(onOver: (isOver: boolean) => void): () => void {
  const listeners = new AbortController()
  const on = <Type extends 'dragover' | 'dragleave' | 'drop' | 'paste'>(
    type: Type,
    act: (event: WindowEventMap[Type]) => void,
  ) => addEventListener(type, act, { signal: listeners.signal })
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
  on('dragover', (event) => {
    if (!hasFiles(event)) return
    onOver(!event.defaultPrevented)
    event.preventDefault()
  })
  on('dragleave', (event) => {
    if (event.relatedTarget === null) onOver(false)
  })
  on('drop', (event) => {
    onOver(false)
    const { dataTransfer } = event
    if (!hasFiles(event) || !dataTransfer || event.defaultPrevented) return
    event.preventDefault()
    const items = [...dataTransfer.items].filter(({ kind }) => kind === 'file')
    const entries = items.map((item) => item.webkitGetAsEntry())
    const dropped = { files: [...dataTransfer.files], entries }
    requestTray()
    void takeFiles().then(({ takeDropped }) => takeDropped(dropped))
  })
  on('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (event.defaultPrevented || !files.some(isVideoFile)) return
    event.preventDefault()
    requestTray()
    void takeFiles().then((queue) => queue.takeFiles(files))
  })
  return () => listeners.abort()
}
