import { UnstyledButton } from '@mantine/core'
import {
  IconCut,
  IconMessage,
  IconShare3,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { shareLink } from '#client/platform/video/share-link.ts'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { openClipMaker } from '../maker/open-maker.ts'
import { useLikeClip } from '../use-like-clip.ts'
import classes from './feed-actions.module.css'

const ShareDialog = lazyPart(() => import('#client/kit/sharing/share-dialog.tsx'))

const actionLook = [
  classes.action,
  column(2, 'centre', 'touch', 'rounded', 'fine', 'hoverText'),
].join(' ')

const iconLook = `${classes.icon} ${look('centred', 'pill', 'surface', 'textColor')}`

/** The comments of the clip open beside it in wide windows and in a dialog elsewhere. */
export type FeedComments = { isOpen: boolean; isBeside: boolean; onToggle: () => void }

type FeedActionsProps = { clip: Clip; isSignedIn: boolean; comments: FeedComments }

/** Shows the actions beside the clip, or over it on phones, within reach of the thumb. */
export function FeedActions({ clip, isSignedIn, comments }: FeedActionsProps) {
  const { id, title, isLiked, likeCount, video } = clip
  // The query never sends a request; it only reads what the comments have loaded.
  const { data: commentCount = clip.commentCount } = trpc.comment.count.useQuery(
    { id: video.id, clipId: id },
    { enabled: false },
  )
  const [isSharing, setSharing] = useState(false)
  const { joined = [] } = trpc.squad.mine.useQuery(undefined, { enabled: isSignedIn }).data ?? {}
  const like = useLikeClip(clip, isSignedIn)
  const navigate = useNavigate()
  const signIn = useSignInLink()
  const LikeIcon = isLiked ? IconThumbUpFilled : IconThumbUp
  const at = Math.floor(clip.startSeconds)
  const makeClip = () => {
    if (!isSignedIn) return void navigate(signIn)
    openClipMaker(video.id, { isByKey: false })
    const search = at > 0 ? { t: String(at) } : {}
    void navigate({ to: '/video/$id', params: { id: String(video.id) }, search })
  }
  return (
    <div className={`${column(12)} ${classes.actions}`}>
      <UnstyledButton
        className={actionLook}
        aria-pressed={isSignedIn ? isLiked : undefined}
        aria-label={isSignedIn ? `Like, ${likeCount}` : `Sign in to like, ${likeCount}`}
        onClick={like}
      >
        <span className={iconLook} data-liked={isLiked || undefined}>
          <LikeIcon size={24} stroke={1.75} aria-hidden />
        </span>
        {likeCount > 0 ? formatCount(likeCount) : 'Like'}
      </UnstyledButton>
      <UnstyledButton
        className={actionLook}
        aria-label={`Comments, ${commentCount}`}
        {...(comments.isBeside
          ? { 'aria-expanded': comments.isOpen }
          : { 'aria-haspopup': 'dialog' })}
        data-talks
        onClick={comments.onToggle}
      >
        <span className={iconLook}>
          <IconMessage size={24} stroke={1.75} aria-hidden />
        </span>
        {commentCount > 0 ? formatCount(commentCount) : 'Comments'}
      </UnstyledButton>
      {video.allowsClips && (
        <UnstyledButton
          className={actionLook}
          aria-label={isSignedIn ? 'Clip from the whole video' : 'Sign in to make a clip'}
          onClick={makeClip}
        >
          <span className={iconLook}>
            <IconCut size={24} stroke={1.75} aria-hidden />
          </span>
          Clip
        </UnstyledButton>
      )}
      <UnstyledButton
        className={actionLook}
        aria-haspopup={joined.length > 0 ? 'dialog' : undefined}
        onClick={() => {
          if (joined.length > 0) setSharing(true)
          else void shareLink({ path: `/clip/${id}`, title })
        }}
      >
        <span className={iconLook}>
          <IconShare3 size={24} stroke={1.75} aria-hidden />
        </span>
        Share
      </UnstyledButton>
      {isSharing && (
        <ShareDialog
          video={{ ...video, title, duration: clip.endSeconds - clip.startSeconds }}
          clip={clip}
          isSignedIn
          canSend
          hasShareSheet
          atSeconds={0}
          links="none"
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  )
}
