import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDoorExit, IconLink, IconMessage, IconPlayerStop } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useState } from 'react'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { ConfirmDialog } from '../../kit/dialog/confirm-dialog.tsx'
import { Sheet } from '../../kit/dialog/sheet.tsx'
import { LockDrawing } from '../../kit/drawings/lock-drawing.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { look, row } from '../../kit/layout/layout.ts'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { PageSpinner } from '../../kit/spinner.tsx'
import { errorStatus, serverSentence } from '../../platform/error-message.ts'
import { notifyFailure } from '../../platform/notify-outcome.ts'
import { useSignInLink } from '../../platform/sign-in-link.ts'
import { copyLink } from '../../platform/video/share-link.ts'
import { trpc, trpcClient } from '../../trpc.ts'
import { endPlayer } from '../../watch/player/host/hosted-player.ts'
import { usePlayerMemory } from '../../watch/player/use-player-memory.ts'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'
import { ReactionBar } from '../../watch/reaction/reaction-bar.tsx'
import { createRoom } from '../../watch/watch-room/room.ts'
import { RoomContext, useRoomState } from '../../watch/watch-room/room-context.ts'
import { useRoomReactions } from '../../watch/watch-room/room-overlay.tsx'
import { ROOM_TABS, RoomPanel, type RoomTab } from '../../watch/watch-room/room-panel.tsx'
import { RoomPlayer } from '../../watch/watch-room/room-player.tsx'
import { useRoomStream } from '../../watch/watch-room/use-room-stream.ts'
import classes from './room-page.module.css'

const route = getRouteApi('/shell/room/$token')

export default function RoomPage() {
  const { token } = route.useParams()
  return <OneRoom key={token} token={token} />
}

function OneRoom({ token }: { token: string }) {
  const query = trpc.watchRoom.get.useQuery({ token }, { staleTime: 0 })
  const [refusal, setRefusal] = useState<unknown>()
  useLayoutEffect(endPlayer, [])
  const error = refusal ?? query.error
  if (error && [400, 404].includes(errorStatus(error) ?? 0)) return <RoomOver />
  if (error && errorStatus(error) === 401) return <MembersOnly sentence={serverSentence(error)} />
  if (refusal || (query.error && !query.data)) {
    const again = () => {
      setRefusal(undefined)
      void query.refetch()
    }
    return <LoadError heading="h1" error={error} onRetry={again} />
  }
  if (!query.data) return <PageSpinner />
  return <OpenRoom room={query.data} onRefused={setRefusal} />
}

function RoomOver() {
  return (
    <>
      <PageTitle title="Watch room" />
      <EmptyState
        role="status"
        heading="h1"
        drawing={<PeopleDrawing />}
        title="This room is over"
        action={<LinkButton to="/">Browse videos</LinkButton>}
      >
        Its host ended it, or everybody has left. Open another from the menu of any video.
      </EmptyState>
    </>
  )
}

function MembersOnly({ sentence }: { sentence: string }) {
  const signIn = useSignInLink()
  return (
    <>
      <PageTitle title="Watch room" />
      <EmptyState
        role="status"
        heading="h1"
        drawing={<LockDrawing />}
        title="This room is for members"
        action={<LinkButton {...signIn}>Sign in</LinkButton>}
      >
        {sentence}
      </EmptyState>
    </>
  )
}

type OpenRoomProps = { room: WatchRoom; onRefused: (error: unknown) => void }

function OpenRoom({ room, onRefused }: OpenRoomProps) {
  const [own] = useState(() => {
    const created = createRoom({ token: room.token, calls: trpcClient.watchRoom })
    created.store.set({ role: room.myRole })
    created.take(room.playback)
    return created
  })
  return (
    <RoomContext value={own}>
      <Stream room={own} onRefused={onRefused} />
      <Layout room={room} />
    </RoomContext>
  )
}

function Stream({
  room,
  onRefused,
}: {
  room: ReturnType<typeof createRoom>
  onRefused: OpenRoomProps['onRefused']
}) {
  const viewerId = useSession()?.id
  const refusal = useRoomStream(room, viewerId)
  useLayoutEffect(() => {
    if (refusal) onRefused(refusal)
  }, [refusal, onRefused])
  return null
}

function Layout({ room }: { room: WatchRoom }) {
  const { items } = room
  const viewerId = useSession()?.id
  const player = useRef<PlayerHandle>(null)
  const [tab, setTab] = useState<RoomTab>('chat')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const isTheatre = usePlayerMemory('isTheatre')
  const isPhone = useMediaQuery('(max-width: 767.98px)')
  const itemId = useRoomState(({ playback }) => playback?.itemId)
  const item = items.find(({ id }) => id === itemId)
  const title = item?.clip?.title ?? item?.video?.title ?? 'Watch room'
  const panel = (
    <RoomPanel
      {...{ room, viewerId, tab }}
      time={() => player.current?.time() ?? 0}
      onTab={setTab}
    />
  )
  const open = (one: RoomTab) => () => {
    setTab(one)
    setSheetOpen(true)
  }
  return (
    <div className={classes.page} data-theatre={isTheatre || undefined}>
      <PageTitle title={title} />
      <div className={classes.stage}>
        <RoomPlayer items={items} player={player} />
      </div>
      <div className={classes.about}>
        {isPhone && viewerId !== undefined && <Reactions />}
        <div className={row([8, 16], 'wrap', 'between')}>
          <h1 className={classes.title}>{title}</h1>
          <Actions token={room.token} />
        </div>
        {isPhone && (
          <div className={`${row(8)} ${classes.tabs}`}>
            {ROOM_TABS.map((one) => (
              <Button
                key={one}
                variant="default"
                className={look('grow')}
                leftSection={one === 'chat' && <IconMessage size={18} stroke={1.75} aria-hidden />}
                aria-haspopup="dialog"
                onClick={open(one)}
              >
                {TAB_WORDS[one]}
              </Button>
            ))}
          </div>
        )}
      </div>
      {!isPhone && (
        <aside className={`${look('card', 'surface', 'framed', 'pad16')} ${classes.side}`}>
          {panel}
        </aside>
      )}
      {isPhone && isSheetOpen && (
        <Sheet label="Room" isTall onClose={() => setSheetOpen(false)}>
          <div className={`${look('padX16')} ${classes.sheet}`}>{panel}</div>
        </Sheet>
      )}
    </div>
  )
}

const TAB_WORDS: Record<RoomTab, string> = { chat: 'Chat', people: 'People', queue: 'Queue' }

function Reactions() {
  const { press, pressed, said } = useRoomReactions()
  return (
    <div className={classes.reactions}>
      <ReactionBar pressed={pressed} onReact={press} />
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

function Actions({ token }: { token: string }) {
  const navigate = useNavigate()
  const isMember = useRoomState(({ role }) => role !== null)
  const isHost = useRoomState(({ role }) => role === 'host')
  const [isEnding, setEnding] = useState(false)
  const goHome = () => void navigate({ to: '/' })
  const leave = trpc.watchRoom.leave.useMutation({ onSettled: goHome })
  const end = trpc.watchRoom.end.useMutation({
    onSuccess: goHome,
    onError: notifyFailure('The room goes on'),
  })
  const items = [
    { label: 'Leave', Icon: IconDoorExit, onPress: () => leave.mutate({ token }) },
    ...(isHost
      ? [
          {
            ...{ label: 'End for everybody', Icon: IconPlayerStop, isDanger: true },
            onPress: () => setEnding(true),
          },
        ]
      : []),
  ]
  return (
    <div className={row(8)}>
      <Button
        variant="default"
        leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
        onClick={() => void copyLink(`/room/${token}`, 'Room link copied to clipboard.')}
      >
        Invite
      </Button>
      {isMember && <RowMenu label="Room actions" items={items} />}
      {isEnding && (
        <ConfirmDialog
          title="End this room"
          confirmLabel="End the room"
          pendingLabel="Ending..."
          isPending={end.isPending}
          onClose={() => setEnding(false)}
          onConfirm={() => end.mutate({ token })}
        >
          Everybody leaves, and the chat is deleted. The videos and their comments stay.
        </ConfirmDialog>
      )}
    </div>
  )
}
