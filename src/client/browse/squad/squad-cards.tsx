import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CardTitle, coverLink } from '#client/kit/card/card.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { SquadEmblem, SquadTag } from '#client/kit/squad/squad-emblem.tsx'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import classes from './squad-cards.module.css'
import { countMembers, JOINING_WORDS, leads, ROLE_WORDS } from './squad-words.ts'

const SKELETONS = [0, 1, 2]

type SquadCardsProps = {
  squads: readonly Squad[]
  heading?: 'h2' | 'h3'
  renderAction?: (squad: Squad) => ReactNode
}

export function SquadCards({ squads, heading = 'h3', renderAction }: SquadCardsProps) {
  return (
    <ul className={classes.grid}>
      {squads.map((squad) => (
        <li key={squad.id}>
          <article
            className={`${row(12, 'start', 'pad16', 'framed')} ${classes.card}`}
            data-squad-colour={squad.colour}
          >
            <SquadEmblem squad={squad} size={56} />
            <div className={look('grow', 'shrink')}>
              <div className={row(8)}>
                <CardTitle as={heading}>
                  <Link to="/squad/$id" params={{ id: String(squad.id) }} className={coverLink}>
                    {squad.name}
                  </Link>
                </CardTitle>
                <SquadTag squad={squad} />
              </div>
              <p className={look('note')}>{factsOf(squad)}</p>
              {squad.description && (
                <p className={look('twoLines', 'note', 'textColor', 'above4')}>
                  {squad.description}
                </p>
              )}
              {leads(squad) && squad.requestCount > 0 && (
                <p className={look('note', 'accentColor', 'strong', 'above4')}>
                  {squad.requestCount === 1
                    ? '1 request to join'
                    : `${squad.requestCount} requests to join`}
                </p>
              )}
              {renderAction && (
                <div className={`${look('relative', 'above12')} ${classes.action}`}>
                  {renderAction(squad)}
                </div>
              )}
            </div>
          </article>
        </li>
      ))}
    </ul>
  )
}

function factsOf({ memberCount, myRole, joining }: Squad): string {
  const last = myRole ? ROLE_WORDS[myRole] : JOINING_WORDS[joining].name
  return `${countMembers(memberCount)} · ${last}`
}

export function SquadCardsSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading squads">
      {SKELETONS.map((index) => (
        <div
          key={index}
          className={`${row(12, 'start', 'pad16', 'framed')} ${classes.card}`}
          aria-hidden="true"
        >
          <Skeleton width={56} height={56} radius="md" />
          <div className={look('grow')}>
            <CardTitle as="div">
              <TextSkeleton width="60%" />
            </CardTitle>
            <div className={look('note')}>
              <TextSkeleton width="45%" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
