import type { ComponentProps, ReactNode } from 'react'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import columns from '../video/list/columns.module.css'
import shelf from '../video/list/video-shelf.module.css'
import { ClipCard, ClipCardSkeleton } from './clip-card.tsx'
import classes from './clip-list.module.css'

const SKELETONS = [0, 1, 2, 3, 4, 5]

type ClipsProps = {
  clips: readonly Clip[]
  heading?: ComponentProps<typeof ClipCard>['heading']
  /** Queue in the links. */
  list?: string
}

/** One scrolling row. */
export function ClipShelf({ clips, heading = 'h3', list }: ClipsProps) {
  return (
    <div className={columns.frame}>
      <ul className={`${columns.clips} ${shelf.shelf}`}>
        {clips.map((clip) => (
          <li key={clip.id}>
            <ClipCard {...{ clip, heading, list }} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type ClipGridProps = ClipsProps & {
  query: ComponentProps<typeof LoadMore>['query']
  renderMenu?: (clip: Clip) => ReactNode
}

/** Loads more near its end. */
export function ClipGrid({ clips, heading = 'h3', list, query, renderMenu }: ClipGridProps) {
  return (
    <>
      <ul className={classes.grid}>
        {clips.map((clip) => (
          <li key={clip.id}>
            <ClipCard {...{ clip, heading, list }} menu={renderMenu?.(clip)} />
          </li>
        ))}
      </ul>
      <LoadMore query={query} />
    </>
  )
}

export function ClipGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading clips">
      {SKELETONS.map((index) => (
        <ClipCardSkeleton key={index} />
      ))}
    </div>
  )
}
