import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { errorSentence } from '#client/platform/error-message.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { REPLIES_SHOWN } from '#shared/limits.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'

type FurtherRepliesProps = {
  comment: Comment
  /** Replies loaded with the comment, which are skipped here. */
  shown: Reply[]
  renderReply: (reply: Reply) => ReactNode
}

/** One page per press. */
export function FurtherReplies({ comment, shown, renderReply }: FurtherRepliesProps) {
  const { nextReplyCursor, replyCount = 0 } = comment
  const input = { id: comment.id, limit: REPLIES_SHOWN }
  const utils = trpc.useUtils()
  const [isRequested, setAsked] = useState(() => !!utils.comment.replies.getInfiniteData(input))
  const query = trpc.comment.replies.useInfiniteQuery(input, {
    enabled: isRequested,
    initialCursor: nextReplyCursor ?? null,
    ...nextPage,
  })
  const known = new Set(shown.map((reply) => reply.id))
  const further = (query.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter((reply) => !known.has(reply.id))
  const hasMore = query.data ? query.hasNextPage : Boolean(nextReplyCursor)
  const left = replyCount - shown.length - further.length
  const load = () => {
    setAsked(true)
    if (query.data) void query.fetchNextPage()
    else if (isRequested) void query.refetch()
  }
  return (
    <>
      {further.map(renderReply)}
      {hasMore && (
        <li>
          {query.isError && (
            <p className={look('below4', 'muted')} role="alert">
              {errorSentence(query.error)}
            </p>
          )}
          <Button variant="default" size="sm" disabled={query.isFetching} onClick={load}>
            {query.isFetching
              ? 'Loading replies...'
              : `Show more replies${left > 0 ? ` (${left})` : ''}`}
          </Button>
        </li>
      )}
    </>
  )
}
