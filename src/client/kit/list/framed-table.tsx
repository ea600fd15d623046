import '../styles/mantine-pages.css'
import { Table, type TableProps } from '@mantine/core'
import { look } from '#client/kit/layout/layout.ts'
import classes from './framed-table.module.css'

/**
 * Sticky head; on phones a list of rows, with `data-label` for cells and `data-menu` at the upper
 * right. `data-number` aligns right.
 */
export function FramedTable(
  props: Pick<TableProps, 'horizontalSpacing' | 'highlightOnHover' | 'className' | 'children'>,
) {
  return (
    <div className={`${look('framed')} ${classes.frame}`}>
      <Table stickyHeader stickyHeaderOffset="var(--header-height)" {...props} />
    </div>
  )
}
