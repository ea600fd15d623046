import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { JoinButton } from '../../browse/squad/join-button.tsx'
import { SquadCards, SquadCardsSkeleton } from '../../browse/squad/squad-cards.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { trpc } from '../../trpc.ts'

const SquadForm = lazyPart(() => import('../../browse/squad/squad-form.tsx'))

export function SquadsPage() {
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const mine = trpc.squad.mine.useQuery()
  const others = trpc.squad.list.useInfiniteQuery({}, nextPage)
  const rest = others.data?.pages.flatMap(({ items }) => items)
  const { joined = [], invitedTo = [] } = mine.data ?? {}
  const isPending = mine.isPending || others.isPending
  const failed = mine.isError ? mine : others.isError && !rest ? others : undefined
  const hasNone = joined.length + invitedTo.length + (rest?.length ?? 0) === 0
  return (
    <div className={`${stack(24)} ${look('page')}`}>
      <PageTitle title="Squads" />
      <div className={row([8, 16], 'wrap', 'between')}>
        <div>
          <h1 className={look('pageHeading')}>Squads</h1>
          <p className={look('muted')}>Your people, and videos just for them.</p>
        </div>
        <Button
          leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}
          onClick={() => setCreating(true)}
        >
          New squad
        </Button>
      </div>
      {isPending && <SquadCardsSkeleton />}
      {failed && <LoadError error={failed.error} onRetry={() => void failed.refetch()} />}
      {!isPending && !failed && (
        <>
          {hasNone && (
            <EmptyState drawing={<PeopleDrawing />} title="No squads yet">
              Make one for the people you play with. A video can be for a squad alone.
            </EmptyState>
          )}
          {invitedTo.length > 0 && (
            <Section title="You are invited">
              <SquadCards
                squads={invitedTo}
                renderAction={(squad) => <JoinButton squad={squad} />}
              />
            </Section>
          )}
          {joined.length > 0 && (
            <Section title="Your squads">
              <SquadCards squads={joined} />
            </Section>
          )}
          {rest && rest.length > 0 && (
            <Section title="Squads you can join">
              <SquadCards squads={rest} renderAction={(squad) => <JoinButton squad={squad} />} />
              <LoadMore query={others} />
            </Section>
          )}
        </>
      )}
      {isCreating && (
        <SquadForm
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: '/squad/$id', params: { id: String(id) } })}
        />
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={look('heading', 'below12')}>
        {title}
      </h2>
      {children}
    </section>
  )
}
