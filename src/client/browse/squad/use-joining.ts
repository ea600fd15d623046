import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'

/** Joining and leaving reload everything, because membership decides what all lists contain. */
export function useJoining() {
  const utils = trpc.useUtils()
  const onError = (error: unknown) =>
    notify({ tone: 'error', title: 'That did not work', message: serverSentence(error) })
  const join = trpc.squad.join.useMutation({
    async onSuccess(squad: Squad) {
      const isIn = squad.myRole !== null
      notify({
        title: isIn ? `You are in ${squad.name}` : 'Request sent',
        message: isIn ? 'Its videos are in your lists now.' : 'We will let you know.',
      })
      await utils.invalidate()
    },
    onError,
  })
  const withdraw = trpc.squad.withdraw.useMutation({
    onSuccess: () => utils.squad.invalidate(),
    onError,
  })
  const leave = trpc.squad.leave.useMutation({
    onSuccess: () => utils.invalidate(),
    onError,
  })
  return { join, withdraw, leave }
}
