import { IconX } from '@tabler/icons-react'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { passFocusOnRemoval } from '../../platform/pass-focus-on-removal.ts'
import { UserAvatar } from '../user-avatar.tsx'
import { IconButton } from './icon-button.tsx'
import classes from './member-list.module.css'

type MemberListProps = {
  label: string
  members: readonly NamedMember[]
  onRemove: (member: NamedMember) => void
}

export function MemberList({ label, members, onRemove }: MemberListProps) {
  if (members.length === 0) return null
  return (
    <ul className={wrapped(8, 'below12')} aria-label={label}>
      {members.map((member) => (
        <li key={member.id} ref={passFocusOnRemoval} className={`${row(8)} ${classes.member}`}>
          <UserAvatar name={member.displayName} src={member.avatarUrl} size={24} />
          <span className={look('oneLine', 'shrink', 'strong')}>@{member.username}</span>
          <IconButton
            aria-label={`Remove @${member.username}`}
            hint="Remove"
            onClick={() => onRemove(member)}
          >
            <IconX size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
