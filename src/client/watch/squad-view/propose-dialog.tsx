import '#client/kit/styles/mantine-pages.css'
import { Checkbox } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { FormButtons } from '#client/kit/dialog/form-buttons.tsx'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { FilterBox } from '#client/kit/list/filter-box.tsx'
import { MediaRow, mediaTitle } from '#client/kit/list/media-row.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { SQUAD_VIEW_MAX } from '#shared/squad-views.ts'
import { nameOf } from './names.ts'

const FOUND_MAX = 5
/** The address of a video on this site. */
const ADDRESS = /\/(?:video|v)\/([1-9]\d{0,15})(?:[?#]|$)/

type ProposeDialogProps = { videoId: number; onClose: () => void }

/** Chooses the recordings of others, likely ones first. */
export default function ProposeDialog({ videoId, onClose }: ProposeDialogProps) {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const likely = trpc.squadView.likely.useQuery({ id: videoId })
  const linkedId = Number(ADDRESS.exec(q)?.[1] ?? 0)
  const linked = trpc.video.get.useQuery({ id: linkedId }, { enabled: linkedId > 0, retry: false })
  const found = trpc.search.videos.useQuery(
    { q, limit: FOUND_MAX },
    { enabled: q.length > 0 && linkedId === 0 },
  )
  const propose = trpc.squadView.propose.useMutation({
    async onSuccess({ id }) {
      await utils.squadView.invalidate()
      onClose()
      await navigate({ to: '/squad-view/$id', params: { id: `${id}` } })
    },
  })
  const shown =
    q === '' ? likely.data : linkedId > 0 ? linked.data && [linked.data] : found.data?.items
  const others = (shown ?? []).filter(({ id }) => id !== videoId)
  const error = propose.error ?? linked.error ?? found.error ?? likely.error
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length > 0) propose.mutate({ videoId, otherIds: [...chosen] })
  }
  return (
    <Dialog title="Squad view" onClose={onClose} size={560}>
      <form onSubmit={send} className={column(12)}>
        <p className={look('note')}>
          Choose recordings of the same match. Their owners are asked, and the sound tells when each
          begins.
        </p>
        <FilterBox label="Search, or paste an address" q={q} onFilter={setQ} maxLength={300} />
        <ul className={column(4)} aria-label={q === '' ? 'Likely recordings' : 'Recordings found'}>
          {others.map((video) => (
            <li key={video.id}>
              <Choice
                video={video}
                isChosen={chosen.includes(video.id)}
                onToggle={() => toggle(video.id)}
              />
            </li>
          ))}
        </ul>
        {shown && others.length === 0 && (
          <p className={look('note')}>
            {q === '' ? 'No recording looks like one of this match.' : 'No other video was found.'}
          </p>
        )}
        <p className={look('problem')} role="alert">
          {error ? errorSentence(error) : ''}
        </p>
        <div className={wrapped(12, 'end')}>
          <FormButtons
            submitLabel={chosen.length > 1 ? `Ask ${chosen.length} owners` : 'Ask the owner'}
            pendingLabel="Asking..."
            isPending={propose.isPending}
            isHeld={chosen.length === 0 || chosen.length >= SQUAD_VIEW_MAX}
            onCancel={onClose}
          />
        </div>
      </form>
    </Dialog>
  )
}

type ChoiceProps = { video: Video; isChosen: boolean; onToggle: () => void }

function Choice({ video, isChosen, onToggle }: ChoiceProps) {
  return (
    <MediaRow
      start={
        <Checkbox
          size="md"
          aria-label={`${video.title} by ${nameOf({ video })}`}
          checked={isChosen}
          onChange={onToggle}
        />
      }
      pictureUrl={posterOf(video).src}
      seconds={video.duration}
      title={<span className={mediaTitle}>{video.title}</span>}
      facts={nameOf({ video })}
    />
  )
}
