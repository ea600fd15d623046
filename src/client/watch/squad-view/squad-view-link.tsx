import { UnstyledButton } from '@mantine/core'
import { IconLayoutGrid } from '@tabler/icons-react'
import { useState } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { nameOf } from './names.ts'

const ProposeDialog = lazyPart(() => import('./propose-dialog.tsx'))

type SquadViewLinkProps = { video: Video; viewerId: number | undefined }

/** Leads to the squad view of the video, or lets its owner open one. */
export function SquadViewLink({ video, viewerId }: SquadViewLinkProps) {
  const { id, userId, processingState } = video
  const isOwn = viewerId !== undefined && viewerId === userId
  const [isOpen, setOpen] = useState(false)
  const { data: view } = trpc.squadView.ofVideo.useQuery({ id })
  const { data: likely } = trpc.squadView.likely.useQuery(
    { id },
    { enabled: isOwn && view?.id === null && processingState === 'ready' },
  )
  if (!view) return null
  const names = [...new Set(view.others.map((other) => nameOf({ video: other })))]
  const isNew = view.id === null
  if (isNew && !(isOwn && likely && likely.length > 0)) return null
  return (
    <div className={row([4, 12], 'wrap', 'muted')}>
      {view.id !== null && (
        <LinkButton
          to="/squad-view/$id"
          params={{ id: `${view.id}` }}
          variant="default"
          size="sm"
          leftSection={<IconLayoutGrid size={18} stroke={1.75} aria-hidden />}
        >
          {view.isAsked ? 'Is this your match?' : 'Squad view'}
        </LinkButton>
      )}
      <p className={look('breakWords')}>
        {isNew
          ? `${countOf(likely?.length ?? 0, 'other recording')} may be of this match`
          : `With ${new Intl.ListFormat('en').format(names)}`}
      </p>
      {isOwn && !view.isAsked && (
        <UnstyledButton
          className={look('hoverUnderline', 'small', 'infoColor', 'size13')}
          onClick={() => setOpen(true)}
        >
          {isNew ? 'Put them side by side' : 'Add a recording'}
        </UnstyledButton>
      )}
      {isOpen && <ProposeDialog videoId={id} onClose={() => setOpen(false)} />}
    </div>
  )
}
