import { useId } from 'react'
import { MemberList } from '#client/kit/control/member-list.tsx'
import { MemberPicker } from '#client/kit/control/member-picker.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { PARTICIPANTS_MAX } from '#shared/limits.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'

type PlayersFieldProps = {
  members: readonly NamedMember[]
  /** Not offered. */
  ownId: number | null
  isAnonymous: boolean
  onAdd: (member: NamedMember) => void
  onRemove: (member: NamedMember) => void
}

export function PlayersField({ members, ownId, isAnonymous, onAdd, onRemove }: PlayersFieldProps) {
  const headingId = useId()
  const named = members.map(({ id }) => id)
  return (
    <section aria-labelledby={headingId} className={look('nextSection')}>
      <h3 id={headingId} className={look('below4', 'label')}>
        Played with
      </h3>
      <p className={look('below8', 'note')}>
        {isAnonymous
          ? 'They are notified, without your name, and can remove theirs.'
          : 'They are notified, and can remove their name.'}
      </p>
      <MemberList label="Played with" members={members} onRemove={onRemove} />
      {members.length < PARTICIPANTS_MAX ? (
        <MemberPicker
          label="Add a member"
          without={ownId === null ? named : [ownId, ...named]}
          onPick={({ id, username, displayName, avatarUrl }) =>
            onAdd({ id, username, displayName, avatarUrl })
          }
        />
      ) : (
        <p className={look('below8', 'note')}>
          {PARTICIPANTS_MAX} members is the most there can be.
        </p>
      )}
    </section>
  )
}
