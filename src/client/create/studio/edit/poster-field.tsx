import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { Picture } from '#client/kit/video/picture.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { postForm } from '#client/platform/post-form.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import { THUMBNAIL_ACCEPT, thumbnailProblem } from '../../thumbnail-problem.ts'
import { FramePreview } from './frame-preview.tsx'
import { FrameStrip } from './frame-strip.tsx'
import classes from './poster-field.module.css'

/** From a frame or an uploaded image. */
export function PosterField({ video }: { video: Video }) {
  const [current, setCurrent] = useState(video.thumbnailUrl)
  const [seconds, setSeconds] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const changes = usePosterChanges(video.id, (thumbnailUrl) => {
    setCurrent(thumbnailUrl)
    setSeconds(undefined)
  })
  const { isPending, error, isSuccess } = changes
  const { videoUrl, duration, processingState } = video
  const canChooseFrame = processingState === 'ready' && videoUrl !== null && video.videoFileExists
  const isPreviewing = seconds !== undefined && videoUrl !== null
  const choose = (time: number) => {
    setProblem(undefined)
    changes.reset()
    setSeconds(time)
  }
  const send = (file: File) => {
    const found = thumbnailProblem(file, changes.maxBytes)
    setProblem(found)
    if (!found) changes.upload(file)
  }
  return (
    <section className={column(8, 'shrink')} aria-labelledby="poster-heading">
      <h3 id="poster-heading" className={look('label')}>
        Thumbnail
      </h3>
      {isPreviewing ? (
        <FramePreview url={videoUrl} seconds={seconds} posterUrl={current} />
      ) : (
        <Picture src={current} corner={duration > 0 ? formatDuration(duration) : undefined} />
      )}
      {canChooseFrame && (
        <FrameStrip
          videoId={video.id}
          durationSeconds={duration}
          seconds={seconds}
          isDisabled={isPending}
          onChoose={choose}
        />
      )}
      <div className={`${wrapped(8)} ${classes.actions}`}>
        {isPreviewing && (
          <>
            <Button
              variant="default"
              disabled={isPending}
              onClick={() => changes.saveFrame(seconds)}
            >
              {isPending ? 'Saving...' : 'Use this frame'}
            </Button>
            <Button variant="subtle" disabled={isPending} onClick={() => setSeconds(undefined)}>
              Keep the old one
            </Button>
          </>
        )}
        {!isPreviewing && <ImageButton isPending={isPending} onPick={send} />}
      </div>
      <p className={look('note', 'breakWords', 'hiddenWhenEmpty')} role="status">
        {isSuccess && !isPreviewing && !problem && 'Thumbnail saved.'}
      </p>
      <p className={look('problem')} role="alert">
        {problem ?? (error ? serverSentence(error) || 'The thumbnail could not be saved.' : '')}
      </p>
    </section>
  )
}

function ImageButton(props: { isPending: boolean; onPick: (file: File) => void }) {
  return (
    <PickFile label="Thumbnail image" accept={THUMBNAIL_ACCEPT} onPick={props.onPick}>
      {(button) => (
        <Button variant="default" disabled={props.isPending} {...button}>
          {props.isPending ? 'Uploading...' : 'Upload image'}
        </Button>
      )}
    </PickFile>
  )
}

/** One change at a time. */
function usePosterChanges(videoId: number, onSaved: (thumbnailUrl: string | null) => void) {
  const utils = trpc.useUtils()
  const settings = trpc.site.settings.useQuery()
  const refresh = () => Promise.all([utils.video.invalidate(), utils.search.invalidate()])
  const save = useMutation({
    mutationFn: async (source: { file: File } | { atSeconds: number }) => {
      if ('atSeconds' in source) {
        const saved = await utils.client.video.setPosterFrame.mutate({ id: videoId, ...source })
        return saved.thumbnailUrl
      }
      const form = new FormData()
      form.set('thumbnail', source.file)
      const url = `/api/videos/${videoId}/thumbnail`
      return (await postForm<{ thumbnailUrl: string }>(url, form)).thumbnailUrl
    },
    onSuccess: async (thumbnailUrl) => {
      onSaved(thumbnailUrl)
      await refresh()
    },
  })
  return {
    isPending: save.isPending,
    isSuccess: save.isSuccess,
    error: save.error,
    reset: save.reset,
    maxBytes: settings.data?.maxThumbnailBytes ?? Number.POSITIVE_INFINITY,
    upload: (file: File) => save.mutate({ file }),
    saveFrame: (atSeconds: number) => save.mutate({ atSeconds }),
  }
}
