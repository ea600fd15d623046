import { Button } from '@mantine/core'
import { useState } from 'react'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { SquadView, SquadViewRecording } from '#shared/schemas/squad-view.schemas.ts'
import { formatTenths } from '#shared/text/format.ts'
import { nameOf } from './names.ts'
import type { Squad } from './squad.ts'

/** A picture of most recordings. */
const FRAME_SECONDS = 1 / 60
const STEPS = [
  { by: -1, label: '−1 s' },
  { by: -0.1, label: '−0.1 s' },
  { by: -FRAME_SECONDS, label: '−1 frame' },
  { by: FRAME_SECONDS, label: '+1 frame' },
  { by: 0.1, label: '+0.1 s' },
  { by: 1, label: '+1 s' },
]

type RecordingsPanelProps = {
  view: SquadView
  squad: Squad
  viewerId: number
  /** Places that are not saved. */
  drafts: ReadonlyMap<number, number>
  onDrafts: (drafts: ReadonlyMap<number, number>) => void
}

/** For owners: whose recordings are in the view, and where each begins. */
export function RecordingsPanel({ view, squad, viewerId, drafts, onDrafts }: RecordingsPanelProps) {
  const { id, recordings } = view
  const utils = trpc.useUtils()
  const refetch = () => utils.squadView.invalidate()
  const place = trpc.squadView.place.useMutation({
    onSuccess: async () => {
      await refetch()
      onDrafts(new Map())
    },
    onError: notifyFailure('The places stay as they were'),
  })
  const again = trpc.squadView.alignAgain.useMutation({
    onSuccess: refetch,
    onError: notifyFailure('The sounds are not compared'),
  })
  const isOwner = recordings.some(({ video, state }) => video.userId === viewerId && state === 'in')
  const isWaiting = recordings.some(({ alignment }) => alignment === 'waiting')
  const isRefused = recordings.some(({ alignment }) => alignment === 'none')
  return (
    <Panel
      title="Recordings"
      about={
        isWaiting
          ? 'Their sounds are being compared, to find out when each begins.'
          : isRefused
            ? 'We could not align these by their sound. Play them, and move one until it fits.'
            : 'Aligned. Move one if it does not fit.'
      }
      action={
        <div className={row(8, 'wrap')}>
          {isOwner && isRefused && (
            <Button
              variant="default"
              loading={again.isPending}
              onClick={() => again.mutate({ id })}
            >
              Compare the sounds again
            </Button>
          )}
          {drafts.size > 0 && (
            <>
              <Button variant="subtle" onClick={() => onDrafts(new Map())}>
                Undo
              </Button>
              <Button
                loading={place.isPending}
                onClick={() => place.mutate({ id, places: placesOf(recordings, drafts) })}
              >
                Save places
              </Button>
            </>
          )}
        </div>
      }
    >
      <ul>
        {recordings.map((recording) => (
          <RecordingRow
            key={recording.video.id}
            {...{ id, recording, squad, isOwner }}
            offsetSeconds={drafts.get(recording.video.id) ?? recording.offsetSeconds ?? 0}
            onMove={(seconds) => onDrafts(new Map(drafts).set(recording.video.id, seconds))}
          />
        ))}
      </ul>
    </Panel>
  )
}

/** If one is placed by hand, so are those beside it that had no place. */
const placesOf = (recordings: readonly SquadViewRecording[], drafts: ReadonlyMap<number, number>) =>
  recordings.flatMap(({ video: { id }, offsetSeconds, state }) => {
    const draft = drafts.get(id)
    if (draft !== undefined) return [{ videoId: id, offsetSeconds: draft }]
    return offsetSeconds === null && state === 'in' ? [{ videoId: id, offsetSeconds: 0 }] : []
  })

type RecordingRowProps = {
  id: number
  recording: SquadViewRecording
  squad: Squad
  isOwner: boolean
  offsetSeconds: number
  onMove: (seconds: number) => void
}

function RecordingRow(props: RecordingRowProps) {
  const { id, recording, squad, isOwner, offsetSeconds, onMove } = props
  const { video, state, alignment, mayAnswer, mayRemove } = recording
  const name = nameOf(recording)
  const [isMoving, setMoving] = useState(alignment === 'none')
  return (
    <>
      <EntryRow
        name={`${name}: ${video.title}`}
        tag={state !== 'in' && (state === 'asked' ? 'Asked' : 'Offered')}
        facts={factsOf(recording, offsetSeconds)}
        action={
          <div className={row(8, 'wrap')}>
            {mayAnswer && <Answers id={id} videoId={video.id} />}
            {isOwner && state === 'in' && (
              <Button
                variant="default"
                aria-expanded={isMoving}
                aria-label={`Move the recording of ${name}`}
                onClick={() => setMoving(!isMoving)}
              >
                Move
              </Button>
            )}
            {mayRemove && <Remove id={id} recording={recording} />}
          </div>
        }
      />
      {isMoving && isOwner && (
        <li className={`${wrapped(8)} ${look('below12')}`}>
          {STEPS.map(({ by, label }) => (
            <Button
              key={label}
              variant="default"
              size="sm"
              aria-label={`${label}, ${name}`}
              onClick={() => onMove(offsetSeconds + by)}
            >
              {label}
            </Button>
          ))}
          <Button
            variant="subtle"
            size="sm"
            aria-label={`${name} begins here`}
            onClick={() => onMove(squad.clock.now())}
          >
            Begins here
          </Button>
        </li>
      )}
    </>
  )
}

function factsOf({ alignment, state, mayAnswer }: SquadViewRecording, offsetSeconds: number) {
  if (mayAnswer) {
    return state === 'asked'
      ? 'Is your recording of the same match?'
      : 'Its owner says that it is of the same match.'
  }
  if (state === 'asked') return 'Its owner has not answered yet.'
  if (state === 'offered') return 'Those in the view have not answered yet.'
  if (alignment === 'waiting') return 'The sound is being compared.'
  if (alignment === 'none') return 'Not aligned: nobody else sees it here.'
  const begins = `begins at ${formatTenths(offsetSeconds)}`
  return alignment === 'sound' ? `Aligned by sound, ${begins}` : `Aligned by hand, ${begins}`
}

function Answers({ id, videoId }: { id: number; videoId: number }) {
  const utils = trpc.useUtils()
  const answer = trpc.squadView.answer.useMutation({
    onSuccess: () => utils.squadView.invalidate(),
    onError: notifyFailure('The answer was not stored'),
  })
  const send = (isAccepted: boolean) => () => answer.mutate({ id, videoId, isAccepted })
  return (
    <>
      <Button disabled={answer.isPending} onClick={send(true)}>
        Add it
      </Button>
      <Button variant="default" disabled={answer.isPending} onClick={send(false)}>
        Not this match
      </Button>
    </>
  )
}

function Remove({ id, recording }: { id: number; recording: SquadViewRecording }) {
  const utils = trpc.useUtils()
  const remove = trpc.squadView.remove.useMutation({
    onSuccess: notifyDone('The recording was taken out', () => utils.squadView.invalidate()),
    onError: notifyFailure('The recording stays'),
  })
  const name = nameOf(recording)
  if (recording.mayAnswer) return null
  return (
    <Button
      variant="subtle"
      loading={remove.isPending}
      aria-label={`Take the recording of ${name} out`}
      onClick={() => remove.mutate({ id, videoId: recording.video.id })}
    >
      Take out
    </Button>
  )
}
