import { serverSentence } from '../../lib/error-message.ts'
import { notify } from '../../lib/notify.ts'
import { trpc } from '../../trpc.ts'

/** Takes single videos out of the history; they leave the list at once. */
export function useHistoryRemoval(filter: { q?: string | undefined }): (videoId: number) => void {
  const utils = trpc.useUtils()
  const remove = trpc.history.remove.useMutation({
    onMutate: async ({ videoId }) => {
      await utils.history.list.cancel()
      utils.history.list.setInfiniteData(
        filter,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.filter(({ video }) => video.id !== videoId),
            })),
          },
      )
    },
    onSuccess: () => notify({ title: 'Removed from your history' }),
    onError: async (error) => {
      notify({
        tone: 'error',
        title: 'The video could not be removed',
        message: serverSentence(error),
      })
      await utils.history.list.invalidate()
    },
    onSettled: () =>
      Promise.all([
        utils.history.list.invalidate(undefined, { refetchType: 'none' }),
        utils.history.positions.invalidate(),
      ]),
  })
  return (videoId) => remove.mutate({ videoId })
}
