import '../styles/mantine-pages.css'
import { Table, type TableProps } from '@mantine/core'
import { framed } from '#client/kit/layout/layout.ts'
import classes from './framed-table.module.css'

/**
 * A table as wide as the page, whose head stays below the site's. On a phone it is a list of its rows: a cell says
 * what it is by `data-label`, and one with `data-menu` stands at the upper right. Cells with `data-number` stand at the end of their column.
 */
export function FramedTable(
  props: Pick<TableProps, 'horizontalSpacing' | 'highlightOnHover' | 'className' | 'children'>,
) {
  return (
    <div className={`${framed} ${classes.frame}`}>
      <Table stickyHeader stickyHeaderOffset="var(--header-height)" {...props} />
    </div>
  )
}
