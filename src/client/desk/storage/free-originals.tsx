import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { formatBytes } from '#shared/text/format.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { serverSentence } from '../../platform/error-message.ts'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'

/** Compares originals with the files made from them. */
export function FreeOriginals() {
  const utils = trpc.useUtils()
  const freeable = trpc.storage.freeable.useQuery()
  const free = trpc.storage.freeOriginals.useMutation()
  const [isAsking, setAsking] = useState(false)
  const [freed, setFreed] = useState<number>()
  const isStopped = useRef(false)
  const run = async () => {
    isStopped.current = false
    let bytes = 0
    setFreed(0)
    try {
      for (;;) {
        const step = await free.mutateAsync()
        bytes += step.bytes
        setFreed(bytes)
        if (!step.hasMore || step.videos === 0 || isStopped.current) break
      }
      notify({ title: `${formatBytes(bytes)} freed` })
    } catch (error) {
      notify({ tone: 'error', title: 'Stopped', message: serverSentence(error) })
    } finally {
      setFreed(undefined)
      await Promise.all([utils.storage.invalidate(), utils.overview.invalidate()])
    }
  }
  const { videos = 0, bytes = 0 } = freeable.data ?? {}
  return (
    <Panel title="What could be freed">
      <p>
        {freeable.isPending
          ? 'Adding up...'
          : videos === 0
            ? 'No original can be removed: all of them are still needed.'
            : `${formatBytes(bytes)} in the originals of ${videos} ${videos === 1 ? 'video' : 'videos'} that play without them.`}
      </p>
      {videos > 0 && freed === undefined && (
        <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
          <Button variant="default" onClick={() => setAsking(true)}>
            Remove all originals
          </Button>
        </div>
      )}
      {freed !== undefined && (
        <div className={`${classes.row} ${row([8, 16], 'wrap')}`} role="status">
          {freed === 0 ? 'Removing...' : `${formatBytes(freed)} freed so far...`}
          <Button
            size="sm"
            variant="subtle"
            onClick={() => {
              isStopped.current = true
            }}
          >
            Stop
          </Button>
        </div>
      )}
      {isAsking && (
        <AskDialog
          title={`Remove the originals of ${videos} videos?`}
          confirmLabel="Remove them"
          pendingLabel="Removing..."
          isDanger
          onConfirm={async () => void run()}
          onClose={() => setAsking(false)}
        >
          {formatBytes(bytes)} become free. All of these videos go on playing in every quality, but
          can never be prepared again from the files as they were uploaded.
        </AskDialog>
      )}
    </Panel>
  )
}
