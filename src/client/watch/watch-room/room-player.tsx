import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { RoomItem } from '#shared/schemas/watch-room.schemas.ts'
import { useClipProgress } from '../clip/use-clip-progress.ts'
import { PlaybackError, VideoUnavailable } from '../player/playback-error.tsx'
import { usePlayer } from '../player/player-context.ts'
import { linesOf } from '../player/source/qualities.ts'
import { useOffers } from '../player/use-offers.ts'
import { type PlayerHandle, VideoPlayer } from '../player/video-player.tsx'
import { useWatchProgress } from '../progress/use-watch-progress.ts'
import { placedIn } from '../squad-view/squad.ts'
import { followRoom } from './follow-room.ts'
import { maySteer } from './room.ts'
import { useRoom, useRoomState } from './room-context.ts'
import { RoomOverlay } from './room-overlay.tsx'
import classes from './room-player.module.css'
import { RoomSquad } from './room-squad.tsx'

type RoomPlayerProps = {
  items: readonly RoomItem[]
  player: RefObject<PlayerHandle | null>
}

/** Plays what the room plays, or says why there is nothing to see. */
export function RoomPlayer({ items, player }: RoomPlayerProps) {
  const frame = useRef<HTMLDivElement>(null)
  const itemId = useRoomState(({ playback }) => playback?.itemId ?? null)
  const item = items.find(({ id }) => id === itemId)
  const isAway = useRoomState((state) => state.isAway)
  const { store } = useRoom()
  const back = () => store.set({ isAway: false })
  if (item?.squadView && placedIn(item.squadView).length > 0) {
    return (
      <div className={classes.squadView}>
        <RoomSquad key={item.id} itemId={item.id} view={item.squadView} />
        {isAway && <BackButton onClick={back} />}
      </div>
    )
  }
  return (
    <div className={classes.picture} ref={frame}>
      {item?.video?.videoUrl ? (
        <ShownItem
          key={item.id}
          {...{ items, player, frame }}
          item={{ ...item, video: item.video }}
        />
      ) : (
        <Nothing item={item} isEmpty={itemId === null} />
      )}
      {isAway && <BackButton onClick={back} />}
    </div>
  )
}

function BackButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      className={classes.back}
      leftSection={<IconUsers size={18} stroke={1.75} aria-hidden />}
      onClick={onClick}
    >
      Back to the group
    </Button>
  )
}

function Nothing({ item, isEmpty }: { item: RoomItem | undefined; isEmpty: boolean }) {
  if (item?.video) return <VideoUnavailable />
  const sentence = isEmpty
    ? 'Nothing is in the queue yet. The host and those who may steer can add videos.'
    : item
      ? 'You may not watch this video. Ask its owner, or wait for the next one.'
      : 'This video was deleted or taken out of the queue.'
  return (
    <p className={`${look('centred', 'centredText')} ${classes.nothing}`} role="status">
      {sentence}
    </p>
  )
}

type ShownItemProps = Omit<RoomPlayerProps, 'items'> & {
  items: readonly RoomItem[]
  item: RoomItem & { video: NonNullable<RoomItem['video']> }
  frame: RefObject<HTMLDivElement | null>
}

function ShownItem({ items, item, player, frame }: ShownItemProps) {
  const { video, clip } = item
  const room = useRoom()
  const utils = trpc.useUtils()
  const { data: playback } = trpc.video.playback.useQuery({ id: video.id })
  const offers = useOffers(playback)
  const choose = trpc.watchRoom.choose.useMutation({
    onSuccess: room.take,
    onError: notifyFailure('The room goes on as it was'),
  })
  const range = clip ? { start: clip.startSeconds, end: clip.endSeconds } : undefined
  const stepBy = (by: number) => () => {
    const other = items[items.findIndex(({ id }) => id === item.id) + by]
    if (other && maySteer(room.store.get())) choose.mutate({ token: room.token, itemId: other.id })
  }
  const onVideo = useProgress(item)
  return (
    <VideoPlayer
      ref={player}
      frameRef={frame}
      videoId={video.id}
      pagePath={clip ? `/clip/${clip.id}` : `/video/${video.id}`}
      title={clip?.title ?? video.title}
      channelName={video.channel?.displayName ?? 'Anonymous'}
      posterUrl={clip?.pictureUrl ?? video.thumbnailUrl}
      videoUrl={video.videoUrl ?? ''}
      hlsUrl={video.hlsUrl}
      lines={linesOf(video)}
      storyboardUrl={video.storyboardUrl}
      {...(range && { range })}
      durationSeconds={range ? range.end - range.start : video.duration}
      startSeconds={0}
      videoFileExists={video.videoFileExists}
      autoPlay={false}
      {...offers}
      chapters={[]}
      marks={[]}
      heat={[]}
      moments={[]}
      onMark={null}
      next={null}
      previous={null}
      onVideo={onVideo}
      onNext={stepBy(1)}
      onPrevious={stepBy(-1)}
      onFailed={() => void utils.watchRoom.get.invalidate({ token: room.token })}
      overlay={<RoomOverlay video={video} />}
      renderError={(videoFileExists, retry) => (
        <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
      )}
    >
      <Follow itemId={item.id} />
    </VideoPlayer>
  )
}

/** Counts views and stores progress as the pages of videos and clips do. */
function useProgress({ video, clip }: ShownItemProps['item']) {
  const isSignedIn = useRoomState(({ role }) => role !== null)
  const ofVideo = useWatchProgress({
    ...{ videoId: video.id, durationSeconds: video.duration, isSignedIn },
    // The room says where to begin.
    startSeconds: 0,
  })
  const ofClip = useClipProgress({ id: clip?.id ?? 0, videoId: video.id })
  return clip ? ofClip : ofVideo
}

/** Keeps the player around it at the position of the room. */
function Follow({ itemId }: { itemId: number }) {
  const player = usePlayer()
  const room = useRoom()
  useEffect(() => followRoom(player, room, itemId), [player, room, itemId])
  return null
}
