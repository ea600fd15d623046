import { Skeleton } from '@mantine/core'
import { look, stack } from '#client/kit/layout/layout.ts'
import type { Held } from '#shared/schemas/held.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { LinkButton } from '../../../kit/control/link-button.tsx'
import { FilmDrawing } from '../../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../../kit/list/empty-state.tsx'
import { LoadError } from '../../../kit/list/load-error.tsx'
import { WorkBar } from '../../../kit/list/work-bar.tsx'
import { errorSentence } from '../../../platform/error-message.ts'
import { trpc } from '../../../trpc.ts'
import { HeldPartPanel } from './held-part.tsx'

const SKELETONS = [0, 1, 2, 3]

export default function HeldStorage() {
  const held = trpc.held.get.useQuery(undefined, { staleTime: 0 })
  if (held.isPending) return <HeldSkeleton />
  if (!held.data) {
    return (
      <LoadError
        text={`Your storage could not be loaded: ${errorSentence(held.error)}`}
        error={held.error}
        onRetry={() => void held.refetch()}
      />
    )
  }
  const parts = held.data.parts.filter(({ bytes }) => bytes > 0)
  return (
    <>
      <HeldSummary held={held.data} />
      {parts.length === 0 ? (
        <EmptyState
          heading="h2"
          drawing={<FilmDrawing />}
          title="Nothing is stored yet"
          action={<LinkButton to="/upload">Upload a Video</LinkButton>}
        >
          What you upload and make is listed here, with the space it takes
        </EmptyState>
      ) : (
        <ul className={stack(12, 'max760')}>
          {parts.map((part) => (
            <li key={part.part}>
              <HeldPartPanel held={part} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function HeldSummary({ held }: { held: Held }) {
  const { heldBytes, plannedBytes, quotaBytes } = held
  const used = heldBytes + plannedBytes
  const isOver = quotaBytes !== null && used > quotaBytes
  const ofQuota = quotaBytes === null ? ' stored' : ` of ${formatBytes(quotaBytes)}`
  return (
    <section className={stack(8, 'below24', 'max760')} aria-labelledby="held-title">
      <h2 id="held-title" className={look('size22')}>
        {sizeOf(heldBytes)}
        {ofQuota}
      </h2>
      {quotaBytes !== null && (
        <WorkBar
          label={`${sizeOf(used)} of ${formatBytes(quotaBytes)} used`}
          percent={quotaBytes === 0 ? 100 : Math.min(100, (100 * used) / quotaBytes)}
          height={8}
        />
      )}
      <p className={look('note')}>
        Everything stored on the server for you.
        {plannedBytes > 0 &&
          ` Up to ${formatBytes(plannedBytes)} more for what is being made of your cuts, clips and montages.`}
      </p>
      {isOver && (
        <p className={look('errorColor')} role="status">
          Your storage is full. Delete something below to make room.
        </p>
      )}
    </section>
  )
}

function HeldSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton height={80} maw={760} mb="lg" />
      <div className={stack(12, 'max760')}>
        {SKELETONS.map((index) => (
          <Skeleton key={index} height={100} radius="lg" />
        ))}
      </div>
    </div>
  )
}

const sizeOf = (bytes: number) => (bytes === 0 ? 'Nothing' : formatBytes(bytes))
