import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'

export type SubscribableChannel = {
  id: number
  displayName: string
  isSubscribed?: boolean | undefined
}

/** Optimistic, with rollback. */
export function useSubscription(channel: SubscribableChannel) {
  const utils = trpc.useUtils()
  const key = { id: channel.id }

  const showOnChannel = async (isSubscribed: boolean) => {
    await utils.user.get.cancel(key)
    const before = utils.user.get.getData(key)
    if (before && before.isSubscribed !== isSubscribed) {
      const subscriberCount = before.subscriberCount + (isSubscribed ? 1 : -1)
      utils.user.get.setData(key, { ...before, isSubscribed, subscriberCount })
    }
    return { before }
  }
  const change = (isSubscribed: boolean, texts: { done: string; failed: string }) => ({
    onMutate: () => showOnChannel(isSubscribed),
    onSuccess: () => notify({ title: texts.done, message: channel.displayName }),
    onError(error: unknown, _: unknown, shown?: Awaited<ReturnType<typeof showOnChannel>>) {
      utils.user.get.setData(key, shown?.before)
      const message = `${texts.failed}: ${errorMessage(error)}`
      notify({ tone: 'error', title: 'Error', message })
    },
    // Awaited, so that the optimistic value stays until the lists agree.
    onSettled: async () => {
      await Promise.all([
        utils.video.get.invalidate(),
        utils.video.listSubscribed.invalidate(),
        utils.user.invalidate(),
        utils.subscription.invalidate(),
      ])
    },
  })
  const subscribe = trpc.subscription.create.useMutation(
    change(true, { done: 'Subscribed', failed: 'Failed to subscribe' }),
  )
  const unsubscribe = trpc.subscription.delete.useMutation(
    change(false, { done: 'Unsubscribed', failed: 'Failed to unsubscribe' }),
  )
  const isChanging = subscribe.isPending || unsubscribe.isPending
  const isSubscribed = isChanging ? subscribe.isPending : channel.isSubscribed === true
  return {
    isSubscribed,
    toggle(): void {
      if (isChanging) return
      const mutation = isSubscribed ? unsubscribe : subscribe
      mutation.mutate({ channelId: channel.id })
    },
  }
}
