import { FoldedText } from '#client/kit/folded-text.tsx'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { LinkedVideo, SharedReply } from '#shared/schemas/share-link.schemas.ts'
import { SpeechDrawing } from '../comment/speech-drawing.tsx'
import classes from './linked-video.module.css'

type LinkedCommentsProps = {
  comments: LinkedVideo['comments']['items']
  durationSeconds: number
  onSeek: (seconds: number) => void
}

/** Read-only. */
export function LinkedComments({ comments, ...text }: LinkedCommentsProps) {
  return (
    <section className={look('above8')} aria-label="Comments">
      <h2 className={look('breakWords', 'heading')}>Comments</h2>
      {comments.length === 0 && (
        <EmptyState compact drawing={<SpeechDrawing />} title="No comments yet" />
      )}
      <ul className={classes.list}>
        {comments.map((comment) => (
          <li key={comment.id}>
            <Said said={comment} {...text} />
            {comment.replies.length > 0 && (
              <ul className={classes.replies} aria-label="Replies">
                {comment.replies.map((reply) => (
                  <li key={reply.id}>
                    <Said said={reply} {...text} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type SaidProps = { said: SharedReply } & Omit<LinkedCommentsProps, 'comments'>

function Said({ said, durationSeconds, onSeek }: SaidProps) {
  const name = said.authorName ?? 'Deleted user'
  return (
    <article className={row(12, 'stretch')}>
      <UserAvatar name={name} src={said.authorAvatarUrl} isNobody={said.authorName === null} />
      <div className={look('shrink')}>
        <p className={`${classes.facts} ${wrapped([0, 8], 'baseline')}`}>
          <b>{name}</b> <TimeAgo time={said.createdAt} />
          {said.isPinned && <span>Pinned</span>}
        </p>
        <FoldedText text={said.content} className={classes.text}>
          <RichText text={said.content} isPlain {...{ durationSeconds, onSeek }} />
        </FoldedText>
      </div>
    </article>
  )
}
