import { Link } from '@tanstack/react-router'
import { ScrollStrip } from '#client/kit/control/scroll-strip.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { useCategories } from '#client/platform/use-site.ts'
import type { Category } from '#shared/limits.ts'
import classes from './category-strip.module.css'

const EXACTLY = { exact: true, includeSearch: true }

/** Sets `?category=` of the current page. */
export function CategoryStrip() {
  const categories = useCategories()
  return (
    <nav className={look('fill')} aria-label="Categories">
      <ScrollStrip what="categories">
        {({ className, ...strip }) => (
          <ul {...strip} className={`${classes.strip} ${className}`}>
            <li>
              <CategoryChip category={undefined} />
            </li>
            {categories.map((category) => (
              <li key={category} data-game={category}>
                <CategoryChip category={category} />
              </li>
            ))}
          </ul>
        )}
      </ScrollStrip>
    </nav>
  )
}

function CategoryChip({ category }: { category: Category | undefined }) {
  return (
    <Link
      to="."
      search={(old) => ({ ...old, category })}
      activeOptions={EXACTLY}
      className={`${row(8)} ${classes.chip}`}
    >
      {category ?? 'All'}
    </Link>
  )
}
