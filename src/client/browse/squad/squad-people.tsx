import { Link } from '@tanstack/react-router'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { SquadMember } from '#shared/schemas/squad.schemas.ts'
import { byPresence, ROLE_WORDS } from './squad-words.ts'

const SHOWN = 8

type SquadPeopleProps = { squadId: number; members: readonly SquadMember[] }

/** Beside what is new, on wide windows. Those who were there lately come first. */
export function SquadPeople({ squadId, members }: SquadPeopleProps) {
  const shown = [...members].sort(byPresence).slice(0, SHOWN)
  return (
    <Panel
      title="Members"
      action={
        <Link
          to="/squad/$id"
          params={{ id: String(squadId) }}
          search={{ tab: 'members' }}
          className={look('infoColor')}
          replace
        >
          All members
        </Link>
      }
    >
      <ul className={stack(4)}>
        {shown.map(({ id, displayName, avatarUrl, role, wasHereLately }) => (
          <li key={id} className={row(12, 'touch')}>
            <UserAvatar name={displayName} src={avatarUrl} size={36} />
            <div className={look('shrink')}>
              <Link
                to="/profile/$id"
                params={{ id: String(id) }}
                className={look('oneLine', 'strong', 'textColor', 'block')}
              >
                {displayName}
              </Link>
              <p className={look('oneLine', 'note')}>
                {wasHereLately ? 'Here in the last day' : ROLE_WORDS[role]}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
