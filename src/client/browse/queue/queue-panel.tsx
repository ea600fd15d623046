import { Button } from '@mantine/core'
import {
  IconArrowsShuffle,
  IconChevronDown,
  IconChevronUp,
  IconPlayerPlayFilled,
  IconRepeat,
  IconRepeatOnce,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { MediaRow, mediaList, mediaTitle } from '#client/kit/list/media-row.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import type { PlaylistWithVideos } from '#shared/schemas/library.schemas.ts'
import { usePlaylistChanges } from '../playlist/use-playlist-changes.ts'
import { clearQueue, moveInQueue, type QueueEntry, removeFromQueue } from './own-queue.ts'
import type { Loop } from './queue-order.ts'
import classes from './queue-panel.module.css'
import { setQueueSettings } from './queue-settings.ts'
import type { Queue } from './use-queue.ts'

type QueuePanelProps = { queue: Queue; videoId: number; viewerId: number | undefined }

export default function QueuePanel({ queue, videoId, viewerId }: QueuePanelProps) {
  const { title, href, entries, index, isMissing, isPending, problem, following, noun } = queue
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 1200px)').matches)
  const next = following[0]
  const total = entries.length === 1 ? `1 ${noun}` : `${entries.length} ${noun}s`
  const count = index < 0 ? total : `${index + 1} of ${entries.length}`
  const facts = isPending ? 'Loading the list' : problem && entries.length === 0 ? problem : count
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <section className={column(0, 'clipped', 'framed')} aria-labelledby="queue-title">
      <div className={`${row(8)} ${classes.head}`}>
        <div className={column(0, 'fill')}>
          <h2 id="queue-title" className={`${look('oneLine', 'smallHeading')} ${classes.title}`}>
            {href ? <Link to={href as string}>{title}</Link> : title}
          </h2>
          <p className={look('oneLine', 'fine')}>
            {isMissing ? 'This list is not available.' : facts}
            {!isOpen && next && ` · Next: ${next.entry.title}`}
          </p>
        </div>
        <IconButton
          className={`${classes.button} ${look('square')}`}
          aria-label={isOpen ? 'Fold the list' : 'Show the list'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={20} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      {problem && !isMissing && (
        <div className={row(0, 'padX8', 'ruleBelow')} role="alert">
          <p className={look('oneLine', 'fine')}>
            {entries.length > 0 && `The rest could not be loaded: ${problem}`}
          </p>
          <Button variant="default" size="sm" onClick={queue.retry}>
            Try again
          </Button>
        </div>
      )}
      {isOpen && !isMissing && entries.length > 0 && (
        <>
          <Tools queue={queue} videoId={videoId} />
          <Entries queue={queue} videoId={videoId} viewerId={viewerId} />
        </>
      )}
    </section>
  )
}

const LOOPS: Record<Loop, { label: string; next: Loop }> = {
  off: { label: 'Loop: off', next: 'all' },
  all: { label: 'Loop: the whole list', next: 'one' },
  one: { label: 'Loop: this video', next: 'off' },
}

function Tools({ queue, videoId }: Pick<QueuePanelProps, 'queue' | 'videoId'>) {
  const { key, loop, isShuffled, isOwnQueue } = queue
  const { label, next } = LOOPS[loop]
  const LoopIcon = loop === 'one' ? IconRepeatOnce : IconRepeat
  const shuffle = () => {
    if (key === undefined) return
    const seed = crypto.getRandomValues(new Int32Array(1))[0] ?? 0
    setQueueSettings({ shuffle: isShuffled ? null : { list: key, seed, firstId: videoId } })
  }
  return (
    <div className={row(0, 'padX8', 'ruleBelow')}>
      <IconButton
        className={`${classes.button} ${look('square')}`}
        aria-label="Shuffle"
        aria-pressed={isShuffled}
        hint={isShuffled ? 'Shuffle is on' : 'Shuffle'}
        onClick={shuffle}
      >
        <IconArrowsShuffle size={20} stroke={1.75} aria-hidden />
      </IconButton>
      <IconButton
        className={`${classes.button} ${look('square')}`}
        aria-label={label}
        data-on={loop !== 'off' || undefined}
        onClick={() => setQueueSettings({ loop: next })}
      >
        <LoopIcon size={20} stroke={1.75} aria-hidden />
      </IconButton>
      {isOwnQueue && (
        <Button variant="subtle" size="sm" className={look('marginStartAuto')} onClick={clearQueue}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** Editable for the list's owner. */
function Entries({ queue, videoId, viewerId }: QueuePanelProps) {
  const { playlist, isOwnQueue } = queue
  if (isOwnQueue) {
    return <EntryList {...{ queue, videoId }} onMove={moveInQueue} onRemove={removeFromQueue} />
  }
  if (playlist && playlist.userId === viewerId) {
    return <OwnPlaylist {...{ queue, videoId, playlist }} />
  }
  return <EntryList {...{ queue, videoId }} />
}

type OwnPlaylistProps = Omit<EntryListProps, 'onMove' | 'onRemove'> & {
  playlist: PlaylistWithVideos
}

function OwnPlaylist({ playlist, ...list }: OwnPlaylistProps) {
  const { move, remove } = usePlaylistChanges(playlist)
  return <EntryList {...list} onMove={move} onRemove={remove} />
}

type EntryListProps = {
  queue: Queue
  videoId: number
  onMove?: (videoId: number, toIndex: number) => void
  onRemove?: (videoId: number) => void
}

function EntryList({ queue, videoId, onMove, onRemove }: EntryListProps) {
  const { entries, key, isShuffled, noun } = queue
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = scroller.current
    const row = list?.querySelector<HTMLElement>('[aria-current]')?.closest('li')
    if (list && row) list.scrollTop = row.offsetTop - list.clientHeight / 3
  }, [])
  const render = (entry: QueueEntry, handle?: ReactNode) => (
    <Row
      entry={entry}
      list={key}
      noun={noun}
      number={entries.indexOf(entry) + 1}
      isCurrent={entry.id === videoId}
      handle={handle}
      onRemove={onRemove && (() => onRemove(entry.id))}
    />
  )
  return (
    <div ref={scroller} className={`${mediaList} ${classes.list}`} data-scroller="">
      {onMove && !isShuffled ? (
        <SortableList items={entries as QueueEntry[]} onMove={onMove} renderItem={render} />
      ) : (
        <ol>
          {entries.map((entry) => (
            <li key={entry.id}>{render(entry)}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

type RowProps = {
  entry: QueueEntry
  noun: Queue['noun']
  list: string | undefined
  number: number
  isCurrent: boolean
  handle: ReactNode
  onRemove: (() => void) | undefined
}

function Row({ entry, noun, list, number, isCurrent, handle, onRemove }: RowProps) {
  const { id, title, thumbnailUrl, duration, channelName } = entry
  return (
    <MediaRow
      className={classes.row}
      isCurrent={isCurrent}
      start={
        <>
          {handle}
          <span className={`${classes.number} ${look('noShrink', 'fine', 'centredText')}`}>
            {isCurrent ? (
              <IconPlayerPlayFilled size={14} role="img" aria-label="Playing" />
            ) : (
              number
            )}
          </span>
        </>
      }
      pictureUrl={thumbnailUrl}
      seconds={duration}
      title={
        <Link
          to={noun === 'clip' ? '/clip/$id' : '/video/$id'}
          params={{ id: String(id) }}
          search={list === undefined ? {} : { list }}
          className={`${mediaTitle} ${classes.link} ${look('textColor')}`}
          aria-current={isCurrent || undefined}
        >
          {title}
        </Link>
      }
      facts={channelName}
      end={
        onRemove && (
          <IconButton
            className={`${classes.remove} ${look('square')}`}
            aria-label={`Remove ${title} from the list`}
            hint="Remove"
            onClick={onRemove}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </IconButton>
        )
      }
    />
  )
}
