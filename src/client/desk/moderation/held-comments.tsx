import { Link } from '@tanstack/react-router'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { HeldComment } from '#shared/schemas/desk/moderation.schemas.ts'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { ListFrame } from '../list-frame.tsx'
import { useAddress } from '../use-address.ts'
import { OnPost } from './comment-place.tsx'
import { HeldPosts } from './held-posts.tsx'
import { HeldText } from './held-text.tsx'
import { useAdminActions } from './use-admin-actions.ts'

/** Oldest first. */
export function HeldComments() {
  const { search } = useAddress()
  const held = trpc.moderation.heldComments.useInfiniteQuery({ q: search.q }, nextPage)
  const actions = useAdminActions()
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by text, name or title" />
        <p className={look('muted')}>
          What is held back is set under{' '}
          <Link
            to="/admin/$section"
            params={{ section: 'settings' }}
            hash="comments"
            className={classes.link}
          >
            Settings
          </Link>
          .
        </p>
      </div>
      <HeldPosts q={search.q} />
      <ListFrame
        query={held}
        empty={{ drawing: <LostDrawing />, title: 'No comments wait for review' }}
      >
        {(items) => (
          <div className={stack(16)}>
            {items.map((comment) => (
              <HeldText
                key={comment.id}
                noun="comment"
                text={comment}
                author={{ ...comment, id: comment.userId }}
                place={<HeldOn comment={comment} />}
                onApprove={() => actions.approveComment({ id: comment.id })}
              />
            ))}
          </div>
        )}
      </ListFrame>
    </>
  )
}

function HeldOn({ comment }: { comment: HeldComment }) {
  const { videoId, videoTitle, channelId, channelName } = comment
  if (videoId !== null) {
    return (
      <>
        On{' '}
        <Link to="/video/$id" params={{ id: String(videoId) }} className={classes.link}>
          {videoTitle}
        </Link>
      </>
    )
  }
  if (channelId === null) return null
  return <OnPost channel={{ id: channelId, displayName: channelName ?? '' }} />
}
