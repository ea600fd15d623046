import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { errorSentence, errorStatus } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { ReactionKind } from '#shared/reactions.ts'
import { endOwnReaction, noteOwnReaction, showReaction, takeOwnReaction } from './reaction-bus.ts'
import { useTakeBack } from './use-take-back.ts'
import { withReaction } from './with-reaction.ts'

const TOO_MANY = 422

/** Returns a function that shows a reaction at once and sends it to the server. */
export function useReact(videoId: number): (kind: ReactionKind, seconds: number) => void {
  const utils = trpc.useUtils()
  const input = { id: videoId }
  const takeBack = useTakeBack(videoId)
  const { mutate } = trpc.reaction.react.useMutation({
    onMutate: ({ kind, second }) => {
      showReaction(kind, second)
      noteOwnReaction({ videoId, kind, second })
      utils.reaction.list.setData(input, (found) => found && withReaction(found, kind, second))
    },
    onSuccess: ({ count, replaced }, { kind, second }) => {
      utils.reaction.own.setData(input, { count })
      const own = { videoId, kind, second }
      if (replaced === null) return endOwnReaction(own)
      takeOwnReaction(own)
      utils.reaction.list.setData(
        input,
        (found) => found && withReaction(found, replaced, second, -1),
      )
    },
    onError: (error, { kind, second }) => {
      takeOwnReaction({ videoId, kind, second })
      const takeAllBack = () => {
        notifications.hide(toast)
        takeBack()
      }
      const toast = notify({
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
