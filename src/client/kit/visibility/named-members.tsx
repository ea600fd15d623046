import { NAMED_MEMBERS_MAX } from '#shared/limits.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { MemberList } from '../control/member-list.tsx'
import { MemberPicker } from '../control/member-picker.tsx'

type NamedMembersProps = {
  members: readonly NamedMember[]
  /** Who needs no name there. */
  ownId: number | null
  onChange: (members: NamedMember[]) => void
}

/** Who else may see what is private. */
export function NamedMembers({ members, ownId, onChange }: NamedMembersProps) {
  const ids = members.map(({ id }) => id)
  return (
    <div>
      <MemberList
        label="May see it"
        members={members}
        onRemove={({ id }) => onChange(members.filter((one) => one.id !== id))}
      />
      {members.length < NAMED_MEMBERS_MAX && (
        <MemberPicker
          label="Who else may see it"
          without={ownId === null ? ids : [ownId, ...ids]}
          onPick={(member) => onChange([...members, member])}
        />
      )}
    </div>
  )
}
