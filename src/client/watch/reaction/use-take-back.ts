import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'

/** Returns a function that deletes all reactions of the viewer to a video. */
export function useTakeBack(videoId: number): () => void {
  const utils = trpc.useUtils()
  const input = { id: videoId }
  const { mutate } = trpc.reaction.takeBack.useMutation({
    onSuccess: (counted) => {
      notify({ title: 'Your reactions are gone', message: 'You can react to this video again.' })
      utils.reaction.own.setData(input, counted)
      return utils.reaction.list.invalidate(input)
    },
    onError: (error) => {
      notify({ tone: 'error', title: 'They are still there', message: errorSentence(error) })
    },
  })
  return () => mutate(input)
}
