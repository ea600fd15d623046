import { Button } from '@mantine/core'
import { IconFileAlert } from '@tabler/icons-react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { formatBytes } from '#shared/text/format.ts'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EntryRow } from '../../kit/list/entry-row.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import { ListFrame } from '../list-frame.tsx'
import { useDeskAction } from '../use-desk-action.ts'

export function UnusableFiles({ count }: { count: number }) {
  const files = trpc.inbox.unusable.useInfiniteQuery({}, { ...nextPage, staleTime: 0 })
  const action = useDeskAction('inbox')
  const again = trpc.inbox.examineAgain.useMutation(
    action({ done: 'The files are examined again', failed: 'Not changed' }),
  )
  return (
    <Panel
      title={count === 1 ? '1 file could not be used' : `${count} files could not be used`}
      about="They stay where they are, and are examined again when they change."
      action={
        <Button variant="default" disabled={again.isPending} onClick={() => again.mutate()}>
          Examine again
        </Button>
      }
    >
      <ListFrame query={files} empty={{ drawing: <FilmDrawing />, title: 'All files can be used' }}>
        {(items) => (
          <ul className={stack(0)}>
            {items.map(({ id, path, folder, fileSize, problem, foundAt }) => (
              <EntryRow
                key={id}
                icon={IconFileAlert}
                name={path}
                hint={`${folder}/${path}`}
                facts={
                  <>
                    {formatBytes(fileSize)} · <TimeAgo time={foundAt} />
                    <span className={look('block', 'errorColor', 'breakWords')}>{problem}</span>
                  </>
                }
              />
            ))}
          </ul>
        )}
      </ListFrame>
    </Panel>
  )
}
