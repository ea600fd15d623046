import { Faces } from '#client/kit/face/faces.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { useSite } from '#client/platform/use-site.ts'
import type { Invitation } from '#shared/schemas/user.schemas.ts'
import { nameSome } from '#shared/text/names.ts'
import classes from './invitation-card.module.css'

export default function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { by, people, peopleCount } = invitation
  const name = useSite()?.name ?? 'Clutch'
  const names = people.map(({ displayName }) => displayName)
  return (
    <section className={classes.card} aria-label="Invitation">
      <h2 className={classes.title}>
        {by ? `${by} invites you to ${name}` : `You are invited to ${name}`}
      </h2>
      {peopleCount > 0 && (
        <p className={`${row(12)} ${look('muted')}`}>
          <Faces people={people} />
          <span>
            {nameSome(names, peopleCount)} {peopleCount === 1 ? 'is' : 'are'} already there
          </span>
        </p>
      )}
    </section>
  )
}
