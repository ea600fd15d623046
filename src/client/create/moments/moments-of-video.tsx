import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import { MomentReview } from './moment-review.tsx'
import { clipTitleOf, rangeOf } from './moment-texts.ts'

/** Nothing is published automatically. */
export function MomentsOfVideo({ video, moments }: { video: Video; moments: readonly Moment[] }) {
  const { id } = video
  const utils = trpc.useUtils()
  const [clips, setClips] = useState<ReadonlyMap<number, number>>(new Map())
  const refresh = () => utils.moment.list.invalidate({ id })
  const fail = (title: string) => (error: unknown) => {
    notify({ tone: 'error', title, message: errorSentence(error) })
    void refresh()
  }
  const bringBack = trpc.moment.unmark.useMutation({
    onSuccess: refresh,
    onError: fail('The moment is still dismissed'),
  })
  const forget = trpc.moment.forget.useMutation({
    onMutate: ({ atSeconds }) =>
      utils.moment.list.setData({ id }, (all) =>
        all?.filter(({ peakSeconds }) => peakSeconds !== atSeconds),
      ),
    onSuccess: (row, { atSeconds }) => {
      const undo = () => {
        bringBack.mutate(row)
        notifications.clean()
      }
      notify({
        title: `Dismissed ${formatDuration(atSeconds)}`,
        message: 'It is no longer a moment for anyone.',
        action: (
          <Button variant="default" onClick={undo}>
            Undo
          </Button>
        ),
      })
    },
    onError: fail('The moment was not dismissed'),
  })
  const create = trpc.clip.create.useMutation({
    onError: fail('The clip was not made'),
  })
  const makeClip = (moment: Moment) => {
    if (create.isPending) return
    const title = clipTitleOf(moment, video.title)
    create.mutate(
      { videoId: id, title, ...rangeOf(moment, video.duration) },
      {
        onSuccess: (clip) => {
          setClips((made) => new Map(made).set(moment.peakSeconds, clip.id))
          notify({ title: 'Clip made', message: title })
        },
      },
    )
  }
  if (moments.length === 0) return <NothingFound id={id} />
  return (
    <MomentReview
      video={video}
      moments={moments}
      clips={clips}
      isBusy={create.isPending}
      onClip={makeClip}
      onForget={({ peakSeconds }) => forget.mutate({ id, atSeconds: peakSeconds })}
    />
  )
}

function NothingFound({ id }: { id: number }) {
  return (
    <EmptyState
      heading="h2"
      drawing={<FilmDrawing />}
      title="No moments found"
      action={
        <LinkButton to="/video/$id" params={{ id: String(id) }} variant="default">
          Watch the video
        </LinkButton>
      }
    >
      Nothing stands out in this video. Mark moments while you watch, or add the timeline that Steam
      recorded while you played.
    </EmptyState>
  )
}
