import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { SquadEmblem, SquadTag } from '#client/kit/squad/squad-emblem.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import type { Squad, SquadMember } from '#shared/schemas/squad.schemas.ts'
import classes from './squad-header.module.css'
import { byPresence, countMembers, JOINING_WORDS } from './squad-words.ts'

const EMBLEM_SIZE = 88
const FACES = 5

type SquadHeaderProps = {
  squad: Squad
  /** Is undefined while the members load. */
  members: readonly SquadMember[] | undefined
  viewerId: number | undefined
  action: ReactNode
}

export function SquadHeader({ squad, members, viewerId, action }: SquadHeaderProps) {
  const { name, description, memberCount, joining } = squad
  const here = members?.filter(({ id, wasHereLately }) => wasHereLately && id !== viewerId) ?? []
  return (
    <header className={classes.header} data-squad-colour={squad.colour}>
      <div className={classes.emblem}>
        <SquadEmblem squad={squad} size={EMBLEM_SIZE} />
      </div>
      <div className={classes.names}>
        <div className={wrapped([0, 12], 'centre')}>
          <h1 className={look('breakWords', 'pageHeading')}>{name}</h1>
          <SquadTag squad={squad} />
        </div>
        <div className={`${row(12, 'wrap', 'muted')} ${classes.facts}`}>
          <Faces members={members && [...members].sort(byPresence)} />
          <span>
            {countMembers(memberCount)} · {JOINING_WORDS[joining].name}
            {here.length > 0 && (
              <>
                {' · '}
                <span className={look('accentColor')}>{nameSome(here)} here in the last day</span>
              </>
            )}
          </span>
        </div>
        {description && (
          <p className={`${look('preserveLines', 'breakWords')} ${classes.description}`}>
            {description}
          </p>
        )}
      </div>
      <div className={classes.action}>{action}</div>
    </header>
  )
}

const NAMED = 2

/** Returns a text such as 'Mia, Tom and 3 others'. */
function nameSome(members: readonly SquadMember[]): string {
  const names = members.slice(0, NAMED).map(({ displayName }) => displayName)
  const others = members.length - names.length
  if (others === 0) return names.join(' and ')
  return `${names.join(', ')} and ${others === 1 ? '1 other' : `${others} others`}`
}

function Faces({ members }: { members: readonly SquadMember[] | undefined }) {
  if (!members) return <Skeleton width={96} height={32} radius="xl" />
  return (
    <span className={classes.faces} aria-hidden="true">
      {members.slice(0, FACES).map(({ id, displayName, avatarUrl, wasHereLately }) => (
        <span key={id} data-here={wasHereLately || undefined}>
          <UserAvatar name={displayName} src={avatarUrl} size={32} />
        </span>
      ))}
    </span>
  )
}

export function SquadHeaderSkeleton() {
  return (
    <div className={classes.header} role="status" aria-label="Loading squad">
      <div className={classes.emblem}>
        <Skeleton width={88} height={88} radius="md" />
      </div>
      <div className={classes.names}>
        <div className={look('pageHeading')}>
          <TextSkeleton width="min(240px, 80%)" />
        </div>
        <div className={classes.facts}>
          <Skeleton width={220} height={32} radius="xl" />
        </div>
      </div>
      <div className={classes.action}>
        <Skeleton width={120} height="var(--touch)" radius="sm" />
      </div>
    </div>
  )
}
