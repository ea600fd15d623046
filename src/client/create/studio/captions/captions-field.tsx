import { Button, Skeleton } from '@mantine/core'
import { useRef, useState } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { CAPTIONS_PER_VIDEO, MAX_CAPTIONS_BYTES } from '#shared/limits.ts'
import { formatBytes } from '#shared/text/format.ts'
import { CaptionsForm } from './captions-form.tsx'
import { CaptionsRow } from './captions-row.tsx'
import { useSendCaptions } from './use-send-captions.ts'

export function CaptionsField({ videoId }: { videoId: number }) {
  const playback = trpc.video.playback.useQuery({ id: videoId })
  const [isAdding, setAdding] = useState(false)
  const addRef = useRef<HTMLButtonElement>(null)
  const captions = playback.data?.captions
  const stopAdding = () => {
    setAdding(false)
    requestAnimationFrame(() => addRef.current?.focus())
  }
  const send = useSendCaptions(videoId)
  return (
    <section
      className={column(8, 'start', 'shrink', 'nextSection')}
      aria-labelledby="captions-heading"
    >
      <h3 id="captions-heading" className={look('label')}>
        Captions
      </h3>
      {playback.isPending && <Skeleton width="100%" height="var(--touch)" />}
      {playback.isError && (
        <p className={look('fullWidth', 'across', 'problem')} role="alert">
          {serverSentence(playback.error)}{' '}
          <Button variant="subtle" size="sm" onClick={() => void playback.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {captions?.length === 0 && !isAdding && (
        <p className={look('note')}>
          No captions yet. Add a WebVTT or SRT file of at most {formatBytes(MAX_CAPTIONS_BYTES)}.
        </p>
      )}
      {captions && captions.length > 0 && (
        <ul className={look('fullWidth')} aria-label="Captions">
          {captions.map((track) => (
            <CaptionsRow key={track.id} videoId={videoId} track={track} />
          ))}
        </ul>
      )}
      {isAdding && (
        <CaptionsForm
          isPending={send.isPending}
          problem={
            send.error && (serverSentence(send.error) || 'The captions could not be uploaded.')
          }
          onSubmit={(values) => send.mutate(values, { onSuccess: stopAdding })}
          onCancel={() => {
            send.reset()
            stopAdding()
          }}
        />
      )}
      {!isAdding && send.data?.notice && (
        <p className={look('fullWidth', 'note', 'hiddenWhenEmpty')} role="status">
          {send.data.notice}
        </p>
      )}
      {captions && !isAdding && captions.length < CAPTIONS_PER_VIDEO && (
        <Button ref={addRef} variant="default" onClick={() => setAdding(true)}>
          Add captions
        </Button>
      )}
    </section>
  )
}
