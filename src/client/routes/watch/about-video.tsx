import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VIDEO_STATE_WORDS, videoStateOf } from '#shared/video-state.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ChannelRow } from '../../browse/subscription/channel-row.tsx'
import { SaveButton } from '../../browse/video/save/save-button.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { canSendVideo, linksOf } from '../../kit/sharing/share-rights.ts'
import { RichText } from '../../kit/video/rich-text.tsx'
import { LadderLine } from '../../kit/video/work-line.tsx'
import { VisibilityMark } from '../../kit/visibility/visibility-mark.tsx'
import { hasServedTags } from '../../platform/video/served-tags.ts'
import { canClip } from '../../watch/clip/maker/can-clip.ts'
import { ClipButton, ClipMaker } from '../../watch/clip/maker/clip-button.tsx'
import { closeClipMaker, useOpenMaker } from '../../watch/clip/maker/open-maker.ts'
import { VideoLike } from '../../watch/like/video-like.tsx'
import { PlayedWith } from '../../watch/participant/played-with.tsx'
import { playerHost, subscribeToPlayerHost } from '../../watch/player/host/hosted-player.ts'
import { ShareButton } from '../../watch/player/share-button.tsx'
import { VideoDescription } from '../../watch/player/video-description.tsx'
import { SquadViewLink } from '../../watch/squad-view/squad-view-link.tsx'
import { ClipsOfVideo } from './clips-of-video.tsx'
import { CommentsButton } from './comments-button.tsx'
import { ReactionPlace } from './reaction-place.tsx'
import { useHasActBar } from './use-has-act-bar.ts'
import { VideoActions } from './video-actions.tsx'
import classes from './watch-page.module.css'
import type { WatchPart } from './watch-part.ts'
import { Watching } from './watching.tsx'

const RejectionNote = lazyPart(
  async () => ({
    default: (await import('../../create/studio/list/rejection-note.tsx')).RejectionNote,
  }),
  null,
)
/** The server wrote those of the first page. */
const VideoMetaTags = lazyPart(() => import('../../watch/player/video-meta-tags.tsx'), null, null)
const ShareDialog = lazyPart(() => import('#client/kit/sharing/share-dialog.tsx'))

export function AboutVideo({ video, player }: WatchPart) {
  const { id, title, duration: durationSeconds } = video
  const viewer = useSession()
  const isNarrow = useHasActBar()
  const links = linksOf(video, viewer)
  const canSend = canSendVideo(video, viewer)
  const [embedAt, setEmbedAt] = useState<number>()
  const seek = (seconds: number) => player.current?.playFrom(seconds)
  return (
    <>
      {embedAt !== undefined && (
        <ShareDialog
          video={video}
          canSend={canSend}
          atSeconds={embedAt}
          links={links}
          onClose={() => setEmbedAt(undefined)}
        />
      )}
      <PageTitle title={title} />
      {viewer !== null && <ReactionPlace video={video} />}
      <MakerPlace video={video} player={player} />
      {!hasServedTags(`/video/${video.id}`) && <VideoMetaTags video={video} />}
      <h1 className={classes.title}>{title}</h1>
      <PlayedWith videoId={id} viewerId={viewer?.id} />
      <SquadViewLink video={video} viewerId={viewer?.id} />
      <Badges video={video} isOwn={viewer !== null && viewer.id === video.userId} />
      <div className={row([12, 24], 'wrap', 'between')}>
        <ChannelRow channel={video.channel} viewerId={viewer?.id} />
        <div className={`${wrapped(8)} ${classes.actions}`}>
          <VideoLike video={video} isSignedIn={viewer !== null} />
          <CommentsButton video={video} seconds={durationSeconds} />
          <ShareButton
            {...{ title, player }}
            path={`/video/${id}`}
            hasLinks={links !== 'none'}
            canSend={canSend}
            onEmbed={setEmbedAt}
          />
          {canClip(video, viewer?.id) && <ClipButton videoId={id} isSignedIn={viewer !== null} />}
          {!isNarrow && <SaveButton video={video} isSignedIn={viewer !== null} />}
          <VideoActions video={video} hasSave={isNarrow} />
        </div>
      </div>
      <VideoDescription
        video={video}
        watching={<Watching videoId={id} viewer={viewer} />}
        renderText={(text, maxCharacters) => (
          <RichText {...{ text, maxCharacters, durationSeconds }} onSeek={seek} />
        )}
      />
      {viewer !== null && viewer.id === video.userId && (
        <LadderLine video={video} className={classes.work} />
      )}
      <ClipsOfVideo videoId={id} />
    </>
  )
}

/** Between player and title. */
function MakerPlace({ video, player }: WatchPart) {
  const opened = useOpenMaker(video.id)
  useEffect(() => closeClipMaker, [])
  // If the clip maker was opened from another page, it has to wait for the player.
  const shown = useSyncExternalStore(subscribeToPlayerHost, () => playerHost().shown)
  const [, setThere] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the player is set once it is shown.
  useEffect(() => setThere(player.current !== null), [shown, opened])
  if (!opened || !player.current) return null
  return (
    <ClipMaker
      video={video}
      player={player.current.player}
      isByKey={opened.isByKey}
      onClose={closeClipMaker}
    />
  )
}

function Badges({ video, isOwn }: { video: Video; isOwn: boolean }) {
  const isOwnAnonymous = video.isAnonymous && video.channel !== null
  const state = videoStateOf(video)
  // Progress or failure is shown in place of the player.
  const isWithheld = !video.contentApproved
  const isPublic = video.visibility === 'public'
  const canMend = isOwn && state === 'rejected'
  const hasWord = isWithheld && !canMend
  return (
    <>
      {canMend && <RejectionNote video={video} />}
      {(hasWord || isOwnAnonymous || !isPublic) && (
        <p className={row(8, 'stretch')}>
          {hasWord && (
            <span className={classes.badge}>
              {VIDEO_STATE_WORDS[state]}
              {video.rejectionReason && `: ${video.rejectionReason}`}
            </span>
          )}
          {!isPublic && <Level video={video} />}
          {isOwnAnonymous && <span className={classes.badge}>Anonymous</span>}
        </p>
      )}
    </>
  )
}

/** The mark of a squad links to its page. */
function Level({ video: { visibility, squad } }: { video: Video }) {
  const mark = <VisibilityMark {...{ visibility, squad }} className={classes.badge} />
  if (!squad) return mark
  return (
    <Link to="/squad/$id" params={{ id: String(squad.id) }} className={look('noUnderline')}>
      {mark}
    </Link>
  )
}

export function AboutSkeleton() {
  return (
    <div className={classes.skeletonAbout} role="status" aria-label="Loading video">
      <h1 className="visually-hidden">Video</h1>
      <div className={`${classes.skeletonTitle} ${look('skeletonGround')}`} />
      <div className={`${classes.skeletonRow} ${look('skeletonGround')}`} />
      <div className={`${classes.skeletonBox} ${look('skeletonGround')}`} />
    </div>
  )
}
