import { MemberList } from '#client/kit/control/member-list.tsx'
import { MemberPicker } from '#client/kit/control/member-picker.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { PARTICIPANTS_MAX } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './participants-field.module.css'

/** Who played along in a video; a change is saved at once. */
export function ParticipantsField({ video }: { video: Video }) {
  const { id: videoId, userId: ownId } = video
  const { data: members } = trpc.participant.list.useQuery({ id: videoId })
  const utils = trpc.useUtils()
  const options = {
    onError: (error: unknown) =>
      notify({ tone: 'error', title: 'Error', message: serverSentence(error) }),
    onSettled: () => utils.participant.invalidate(),
  }
  const add = trpc.participant.add.useMutation(options)
  const remove = trpc.participant.remove.useMutation(options)
  if (!members) return null
  const named = members.map(({ id }) => id)
  return (
    <section aria-labelledby="participants" className={classes.root}>
      <h3 id="participants" className={classes.heading}>
        Played with
      </h3>
      <p className={classes.hint}>
        {video.isAnonymous
          ? 'They are notified, without your name, and can remove theirs.'
          : 'They are notified, and can remove their name.'}
      </p>
      <MemberList
        label="Played with"
        members={members}
        onRemove={({ id }) => remove.mutate({ videoId, userId: id })}
      />
      {members.length < PARTICIPANTS_MAX ? (
        <MemberPicker
          label="Add a member"
          without={ownId === null ? named : [ownId, ...named]}
          onPick={({ id }) => add.mutate({ videoId, userId: id })}
        />
      ) : (
        <p className={classes.hint}>{PARTICIPANTS_MAX} members is the most there can be.</p>
      )}
    </section>
  )
}
