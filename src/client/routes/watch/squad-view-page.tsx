import { Button } from '@mantine/core'
import { IconLink, IconPlayerRecord, IconPlayerStop, IconUsers } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { posterOf } from '#shared/poster.ts'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import { SQUAD_VIEW_MIN } from '#shared/squad-views.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ExportMontage } from '../../create/montage/export-montage.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { column, look, row } from '../../kit/layout/layout.ts'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { PageSpinner } from '../../kit/spinner.tsx'
import { errorStatus } from '../../platform/error-message.ts'
import { copyLink } from '../../platform/video/share-link.ts'
import { trpc } from '../../trpc.ts'
import { endPlayer } from '../../watch/player/host/hosted-player.ts'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { CutPanel, type CutPart } from '../../watch/squad-view/cut-panel.tsx'
import { createMatchClock } from '../../watch/squad-view/match-clock.ts'
import { nameOf } from '../../watch/squad-view/names.ts'
import { RecordingsPanel } from '../../watch/squad-view/recordings-panel.tsx'
import { createSquad, lengthOf, type Recording } from '../../watch/squad-view/squad.ts'
import { SquadStage } from '../../watch/squad-view/squad-stage.tsx'
import { useCuts } from '../../watch/squad-view/use-cuts.ts'
import { openRoom } from '../../watch/watch-room/open-room.ts'

const route = getRouteApi('/shell/squad-view/$id')
const ASK_AGAIN_MS = 2000

export default function SquadViewPage() {
  const id = parseVideoId(route.useParams().id)
  const query = trpc.squadView.get.useQuery(
    { id: id ?? 0 },
    {
      enabled: id !== undefined,
      refetchInterval: ({ state }) => isWaiting(state.data) && ASK_AGAIN_MS,
    },
  )
  useLayoutEffect(endPlayer, [])
  const isGone = id === undefined || [400, 404].includes(errorStatus(query.error) ?? 0)
  if (isGone) return <NoSuchView />
  if (query.error && !query.data) {
    return <LoadError heading="h1" error={query.error} onRetry={() => void query.refetch()} />
  }
  if (!query.data) return <PageSpinner />
  return <OneView key={query.data.id} view={query.data} />
}

const isWaiting = (view: SquadView | undefined) =>
  view?.recordings.some(({ alignment }) => alignment === 'waiting') === true

function NoSuchView() {
  return (
    <>
      <PageTitle title="Squad view" />
      <EmptyState
        role="status"
        heading="h1"
        drawing={<PeopleDrawing />}
        title="There is no such squad view"
        action={<LinkButton to="/">Browse videos</LinkButton>}
      >
        Its recordings were taken out or deleted, or you may not watch them.
      </EmptyState>
    </>
  )
}

function OneView({ view }: { view: SquadView }) {
  const viewerId = useSession()?.id
  const [drafts, setDrafts] = useState<ReadonlyMap<number, number>>(new Map())
  const recordings = placed(view, drafts)
  const ids = recordings.map(({ video }) => video.id).join()
  const title = titleOf(view)
  return (
    <div className={column(16, 'widePage')}>
      <PageTitle title={title} />
      {recordings.length < SQUAD_VIEW_MIN ? (
        <>
          <h1 className={look('pageHeading')}>{title}</h1>
          <p className={look('muted')} role="status">
            {isWaiting(view)
              ? 'The sounds of the recordings are being compared. This takes a moment.'
              : 'The squad view opens when two recordings are in it.'}
          </p>
        </>
      ) : (
        <Playing
          key={ids}
          {...{ view, recordings, drafts, title, viewerId }}
          onDrafts={setDrafts}
        />
      )}
    </div>
  )
}

/** Who may edit also sees those without a place, from the start of the match on. */
function placed(view: SquadView, drafts: ReadonlyMap<number, number>): Recording[] {
  return view.recordings.flatMap(({ video, offsetSeconds, alignment }) => {
    const isLoose = alignment === 'none' && view.mayEdit
    const place = drafts.get(video.id) ?? offsetSeconds ?? (isLoose ? 0 : null)
    return place === null || video.videoUrl === null ? [] : [{ video, offsetSeconds: place }]
  })
}

function titleOf({ recordings }: SquadView): string {
  const names = [...new Set(recordings.filter(({ state }) => state === 'in').map(nameOf))]
  const game = recordings[0]?.video.category ?? 'Match'
  return `${game}: ${new Intl.ListFormat('en').format(names)}`
}

type PlayingProps = {
  view: SquadView
  recordings: Recording[]
  drafts: ReadonlyMap<number, number>
  onDrafts: (drafts: ReadonlyMap<number, number>) => void
  title: string
  viewerId: number | undefined
}

function Playing({ view, recordings, drafts, onDrafts, title, viewerId }: PlayingProps) {
  const seconds = lengthOf(recordings)
  const length = useRef(seconds)
  const [squad] = useState(() =>
    createSquad(
      recordings,
      createMatchClock(() => length.current),
    ),
  )
  useEffect(() => {
    length.current = seconds
    squad.setLength(seconds)
  }, [squad, seconds])
  const navigate = useNavigate()
  const go = (token: string) => void navigate({ to: '/room/$token', params: { token } })
  const { cuts, setCuts, isRecording, setRecording } = useCuts(squad, view.id)
  return (
    <>
      <SquadStage squad={squad} recordings={recordings} />
      <div className={row([8, 16], 'wrap', 'between')}>
        <h1 className={look('size22', 'breakWords')}>{title}</h1>
        <div className={row(8, 'wrap')}>
          {viewerId !== undefined && (
            <Button
              variant="default"
              aria-pressed={isRecording}
              leftSection={
                isRecording ? (
                  <IconPlayerStop size={18} stroke={1.75} aria-hidden />
                ) : (
                  <IconPlayerRecord size={18} stroke={1.75} aria-hidden />
                )
              }
              onClick={() => setRecording(!isRecording)}
            >
              {isRecording ? 'Stop recording' : 'Record cuts'}
            </Button>
          )}
          {viewerId !== undefined && (
            <Button
              variant="default"
              leftSection={<IconUsers size={18} stroke={1.75} aria-hidden />}
              onClick={() =>
                void openRoom({ squadViewId: view.id, position: squad.clock.now() }, go)
              }
            >
              Watch together
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
            onClick={() => void copyLink(`/squad-view/${view.id}`, 'Link copied to clipboard.')}
          >
            Copy link
          </Button>
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {isRecording ? 'Whoever you make large is put into the cut list.' : ''}
      </p>
      {viewerId !== undefined && cuts.length > 0 && (
        <CutPanel
          {...{ squad, recordings, cuts, viewerId }}
          onChange={setCuts}
          renderExport={(parts) => (
            <ExportMontage choices={parts.map(toChoice)} title={title} transition="cut" />
          )}
        />
      )}
      {view.mayEdit && viewerId !== undefined && (
        <RecordingsPanel {...{ view, squad, viewerId, drafts, onDrafts }} />
      )}
    </>
  )
}

function toChoice({ recording, fromSeconds, toSeconds }: CutPart) {
  const { video } = recording
  return {
    item: { videoId: video.id, fromSeconds, toSeconds },
    title: video.title,
    facts: nameOf(recording),
    seconds: toSeconds - fromSeconds,
    pictureUrl: posterOf(video).src,
  }
}
