import { UnstyledButton } from '@mantine/core'
import { look, row } from '#client/kit/layout/layout.ts'
import classes from './comment-order.module.css'
import { setCommentSort, useCommentSort } from './comment-sort.ts'

const ORDERS = [
  { sort: 'best', label: 'Best' },
  { sort: 'newest', label: 'Newest' },
] as const

/** For all conversations on this device. */
export function CommentOrder() {
  const chosen = useCommentSort()
  return (
    <fieldset
      className={row(0, 'stretch', 'noShrink', 'pill', 'bordered')}
      aria-label="Order of the comments"
    >
      {ORDERS.map(({ sort, label }) => (
        <UnstyledButton
          key={sort}
          className={`${classes.choice} ${look('padX12', 'pill', 'note')}`}
          aria-pressed={sort === chosen}
          onClick={() => setCommentSort(sort)}
        >
          {label}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
