import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { errorSentence, errorStatus } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { decodeCounts, encodeCounts, type ReactionKind } from '#shared/reactions.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'
import { showReaction } from './reaction-bus.ts'

const TOO_MANY = 422

/** Shown at once. */
export function useReact(videoId: number): (kind: ReactionKind, seconds: number) => void {
  const utils = trpc.useUtils()
  const input = { id: videoId }
  const takeBack = trpc.reaction.takeBack.useMutation({
    onSuccess: () => {
      notify({ title: 'Your reactions are gone', message: 'You can react to this video again.' })
      return utils.reaction.list.invalidate(input)
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'They are still there', message: errorSentence(error) }),
  })
  const { mutate } = trpc.reaction.react.useMutation({
    onMutate: ({ kind, second }) => {
      showReaction(kind)
      utils.reaction.list.setData(input, (found) => found && withReaction(found, kind, second))
    },
    onError: (error) => {
      const takeAllBack = () => {
        takeBack.mutate(input)
        notifications.clean()
      }
      notify({
        tone: 'error',
        title: 'Your reaction was not kept',
        message: errorSentence(error),
        action: errorStatus(error) === TOO_MANY && (
          <Button variant="default" onClick={takeAllBack}>
            Take mine back
          </Button>
        ),
      })
      return utils.reaction.list.invalidate(input)
    },
  })
  return useCallback(
    (kind, seconds) => mutate({ id: videoId, kind, second: Math.floor(seconds) }),
    [videoId, mutate],
  )
}

export function withReaction(
  { bucketSeconds, counts }: Reactions,
  kind: ReactionKind,
  second: number,
): Reactions {
  const at = Math.floor(second / bucketSeconds)
  const before = decodeCounts(counts[kind] ?? '')
  const after = Array.from(
    { length: Math.max(before.length, at + 1) },
    (_, index) => (before[index] ?? 0) + Number(index === at),
  )
  return { bucketSeconds, counts: { ...counts, [kind]: encodeCounts(after) } }
}
