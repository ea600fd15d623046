import { wrapped } from '#client/kit/layout/layout.ts'
import '../kit/styles/mantine-pages.css'
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { FramedTable } from '../kit/list/framed-table.tsx'
import classes from './admin.module.css'
import { ListFrame, type ListFrameProps } from './list-frame.tsx'

export type Column<Item> = {
  title: string
  cell: (item: Item) => ReactNode
  /** On phones, without the title before it: a cell that explains itself. */
  isUntitled?: boolean
  isNumber?: boolean
  /** Long text. */
  isWide?: boolean
}

type DeskTableProps<Item> = Omit<ListFrameProps<Item>, 'children'> & {
  /** The first one names the row. */
  columns: Column<Item>[]
  actions?: (item: Item) => ReactNode
  /** A single menu, which phones show beside the first cell. */
  menu?: (item: Item) => ReactNode
}

/** The rows of a paged query, with their actions. */
export function DeskTable<Item extends { id: number }>(props: DeskTableProps<Item>) {
  const { columns, menu, actions = menu, ...frame } = props
  return (
    <ListFrame {...frame}>
      {(items) => (
        <FramedTable>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ title, isNumber }) => (
                <Table.Th key={title} scope="col" data-number={isNumber}>
                  {title}
                </Table.Th>
              ))}
              {actions && (
                <Table.Th scope="col">
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={item.id}>
                {columns.map(({ title, cell, isUntitled, isNumber, isWide }, index) => (
                  <Table.Td
                    key={title}
                    data-label={index === 0 || isUntitled ? undefined : title}
                    data-number={isNumber}
                    data-wide={isWide}
                  >
                    {cell(item)}
                  </Table.Td>
                ))}
                {actions && (
                  <Table.Td data-menu={menu && true}>
                    <div className={`${classes.actions} ${wrapped([4, 8], 'end')}`}>
                      {actions(item)}
                    </div>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </FramedTable>
      )}
    </ListFrame>
  )
}
