import { Button } from '@mantine/core'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { formatBytes } from '#shared/text/format.ts'
import { uploadMemory } from '../transfer/upload-memory.ts'
import classes from './open-uploads.module.css'

/** Each can be cancelled to make room. */
export function OpenUploads() {
  const utils = trpc.useUtils()
  const open = trpc.upload.listOpen.useQuery(undefined, { staleTime: 0 })
  const discard = trpc.upload.cancel.useMutation({
    onSuccess: (_, { uploadId }) => {
      uploadMemory.forgetUpload(uploadId)
      return utils.upload.listOpen.invalidate()
    },
    onError: (error) => notify({ tone: 'error', title: 'Error', message: errorSentence(error) }),
  })
  if (!open.data) return null
  if (open.data.length === 0) {
    return (
      <p className={look('note', 'breakWords')}>There is room for this upload now. Retry it.</p>
    )
  }
  return (
    <section className={column(8, 'framed', 'pad16')} aria-label="Unfinished uploads">
      <h2 className={look('heading')}>Unfinished uploads</h2>
      <p className={look('note', 'breakWords')}>
        Discard one and retry, or choose its file again to continue where it stopped.
      </p>
      <ul>
        {open.data.map((upload) => (
          <li key={upload.id} className={`${row(12, 'between')} ${classes.item}`}>
            <div className={look('shrink')}>
              <p className={look('strong', 'breakWords')}>{upload.title}</p>
              <p className={look('note', 'breakWords')}>
                {upload.fileName} · {formatBytes(upload.fileSize)} ·{' '}
                {Math.floor((upload.chunksStored / upload.chunkCount) * 100)}% arrived ·{' '}
                <TimeAgo time={upload.touchedAt} />
              </p>
            </div>
            <Button
              variant="default"
              size="sm"
              aria-label={`Discard ${upload.title}`}
              disabled={discard.isPending}
              onClick={() => discard.mutate({ uploadId: upload.id })}
            >
              Discard
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
