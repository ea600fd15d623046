import '#client/kit/styles/mantine-pages.css'
import { SegmentedControl } from '@mantine/core'
import classes from './comment-order.module.css'
import { setCommentSort, useCommentSort } from './comment-sort.ts'

const ORDERS = [
  { value: 'best', label: 'Best' },
  { value: 'newest', label: 'Newest' },
] as const

/** Which comments come first; kept for every conversation on this device. */
export function CommentOrder() {
  return (
    <SegmentedControl
      aria-label="Order of the comments"
      withItemsBorders={false}
      classNames={{ root: classes.root, label: classes.choice, indicator: classes.indicator }}
      data={[...ORDERS]}
      value={useCommentSort()}
      onChange={setCommentSort}
    />
  )
}
