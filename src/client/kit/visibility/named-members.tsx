import { useState } from 'react'
import { NAMED_MEMBERS_MAX } from '#shared/limits.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { MemberList } from '../control/member-list.tsx'
import { MemberPicker } from '../control/member-picker.tsx'

/** Sends additions and removals, so that others' changes stay. */
export function useNamedMembers(found: readonly NamedMember[] | undefined) {
  const [edited, setEdited] = useState<{
    members: readonly NamedMember[]
    was: readonly NamedMember[]
  }>()
  const members = edited?.members ?? found ?? []
  const namesOf = (list: readonly NamedMember[]) => list.map(({ username }) => username)
  return {
    members,
    isChanged: edited !== undefined,
    change: (next: readonly NamedMember[]) => {
      setEdited({ members: next, was: edited?.was ?? found ?? [] })
    },
    edit: () => ({ usernames: namesOf(members), was: namesOf(edited?.was ?? members) }),
  }
}

type NamedMembersProps = {
  named: ReturnType<typeof useNamedMembers>
  /** Not selectable. */
  ownId: number | null
}

/** For private content. */
export function NamedMembers({ named, ownId }: NamedMembersProps) {
  const { members, change } = named
  const ids = members.map(({ id }) => id)
  return (
    <div>
      <MemberList
        label="May see it"
        members={members}
        onRemove={({ id }) => change(members.filter((one) => one.id !== id))}
      />
      {members.length < NAMED_MEMBERS_MAX && (
        <MemberPicker
          label="Who else may see it"
          without={ownId === null ? ids : [ownId, ...ids]}
          onPick={(member) => change([...members, member])}
        />
      )}
    </div>
  )
}
