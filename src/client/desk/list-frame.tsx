import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { stack } from '#client/kit/layout/layout.ts'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { LoadMore } from '../kit/list/load-more.tsx'
import { errorSentence } from '../platform/error-message.ts'

type Query<Item> = {
  data: { pages: { items: Item[] }[] } | undefined
  isPending: boolean
  error: unknown
  refetch: () => Promise<unknown>
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

export type ListFrameProps<Item> = {
  query: Query<Item>
  empty: { title: string; text?: string; drawing: ReactNode }
  children: (items: Item[]) => ReactNode
}

const SKELETONS = [0, 1, 2, 3, 4]

/** Renders loading, failure, no items, items, and the button for more. */
export function ListFrame<Item>({ query, empty, children }: ListFrameProps<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items)
  if (query.isPending) return <ListSkeleton />
  if (!items) {
    return (
      <LoadError
        text={`This could not be loaded: ${errorSentence(query.error)}`}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (items.length === 0) {
    return (
      <EmptyState drawing={empty.drawing} title={empty.title} role="status">
        {empty.text}
      </EmptyState>
    )
  }
  return (
    <>
      {children(items)}
      <LoadMore query={query} />
    </>
  )
}

export function ListSkeleton() {
  return (
    <div className={stack(8)} role="status" aria-label="Loading">
      {SKELETONS.map((index) => (
        <Skeleton key={index} height={56} radius="sm" />
      ))}
    </div>
  )
}
