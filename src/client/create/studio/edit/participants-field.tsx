import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { PlayersField } from '../../players-field.tsx'

type ParticipantsFieldProps = { video: Pick<Video, 'id' | 'userId' | 'isAnonymous'> }

/** Saved at once. */
export function ParticipantsField({ video }: ParticipantsFieldProps) {
  const { id: videoId, userId, isAnonymous } = video
  const { data: members } = trpc.participant.list.useQuery({ id: videoId })
  const utils = trpc.useUtils()
  const options = {
    onError: notifyFailure('Error'),
    onSettled: () => utils.participant.invalidate(),
  }
  const add = trpc.participant.add.useMutation(options)
  const remove = trpc.participant.remove.useMutation(options)
  if (!members) return null
  return (
    <PlayersField
      members={members}
      ownId={userId}
      isAnonymous={isAnonymous}
      onAdd={({ id }) => add.mutate({ videoId, userId: id })}
      onRemove={({ id }) => remove.mutate({ videoId, userId: id })}
    />
  )
}
