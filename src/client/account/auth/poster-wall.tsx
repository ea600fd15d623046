import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import classes from './poster-wall.module.css'

const COLUMNS = 3
const ROWS = 5
/** One poster is a third as wide as the panel. The wall is hidden below 900 px. */
const SIZES = '(max-width: 899px) 1px, 20vw'

/**
 * Shows the newest posters that visitors may see, behind the text of the page. The wall is hidden
 * from screen readers.
 * @param nothing is rendered instead if there are fewer posters than columns
 */
export function PosterWall({ nothing }: { nothing: ReactNode }) {
  const isWide = useMediaQuery('(min-width: 900px)', false, { getInitialValueInEffect: false })
  const audience = useSite()?.audience
  const { data, isPending } = trpc.video.list.useInfiniteQuery(
    {},
    {
      getNextPageParam: () => undefined,
      retry: false,
      // Visitors may not list the videos of a site for members only.
      enabled: isWide && audience === 'everybody',
    },
  )
  const posters = (data?.pages[0]?.items ?? [])
    .filter((video) => video.thumbnailUrl !== null || video.cardUrl !== null)
    .map((video) => ({ id: video.id, ...posterOf(video) }))
  if (isPending && audience !== 'members') return null
  if (posters.length < COLUMNS) return nothing
  // The posters repeat if there are fewer of them than places.
  const places = Array.from({ length: COLUMNS * ROWS }, (_, place) => place)
  return (
    <div className={classes.wall} aria-hidden="true">
      {places.map((place) => {
        // If the posters fill whole rows, each row starts one poster later, so that no column
        // shows a single poster.
        const row = Math.floor(place / COLUMNS)
        const poster =
          posters[(place + (posters.length % COLUMNS === 0 ? row : 0)) % posters.length]
        return (
          <img
            key={place}
            src={poster?.src ?? undefined}
            srcSet={poster?.srcSet}
            sizes={SIZES}
            alt=""
            loading="lazy"
            decoding="async"
            fetchPriority="low"
            width={320}
            height={180}
            style={{
              backgroundImage: poster?.previewUrl ? `url(${poster.previewUrl})` : undefined,
            }}
          />
        )
      })}
    </div>
  )
}
