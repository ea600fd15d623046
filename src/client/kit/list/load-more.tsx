import { Button } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { errorSentence } from '../../platform/error-message.ts'
import { rememberPages } from '../../platform/place/list-pages.ts'
import classes from './load-more.module.css'

type LoadMoreProps = {
  query: {
    data?: { pages: unknown[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage: () => Promise<unknown>
  }
}

/** Loads the next page shortly before it is visible. */
export function LoadMore({ query }: LoadMoreProps) {
  const location = useRouterState({ select: (state) => state.resolvedLocation })
  const pages = query.data?.pages
  useEffect(() => {
    if (location && pages) rememberPages(location, pages)
  }, [location, pages])
  if (!query.hasNextPage || query.isFetchingNextPage) return null
  const load = () => void query.fetchNextPage()
  if (query.isFetchNextPageError) {
    return (
      <div className={`${column(12, 'centre')} ${classes.end}`} role="alert">
        <p className={look('muted')}>{errorSentence(query.error)}</p>
        <Button variant="default" onClick={load}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className={`${column(12, 'centre')} ${classes.end}`} ref={(end) => whenNear(end, load)}>
      <Button variant="default" data-more onClick={load}>
        Load more
      </Button>
    </div>
  )
}

function whenNear(element: HTMLElement | null, act: () => void) {
  if (!element) return
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) act()
    },
    { rootMargin: '1200px' },
  )
  observer.observe(element)
  return () => observer.disconnect()
}
