import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { formatCount } from '#shared/text/format.ts'
import classes from './popular-tags.module.css'

const SKELETONS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

export function PopularTags({ tags }: { tags: { tag: string; count: number }[] }) {
  return (
    <ul className={wrapped(8)}>
      {tags.map(({ tag, count }) => (
        <li key={tag}>
          <Link to="/search" search={{ q: tag }} className={`${row(8)} ${classes.tag}`}>
            #{tag}
            <span className={look('fine', 'display')}>
              {formatCount(count)}
              <span className="visually-hidden">{count === 1 ? ' video' : ' videos'}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function PopularTagsSkeleton() {
  return (
    <div className={wrapped(8)} role="status" aria-label="Loading tags">
      {SKELETONS.map((index) => (
        <Skeleton
          key={index}
          width={index % 3 === 2 ? 136 : 104}
          height="var(--touch)"
          radius="xl"
        />
      ))}
    </div>
  )
}
