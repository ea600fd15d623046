import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconPlayerPlayFilled, IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { column, look } from '#client/kit/layout/layout.ts'
import { FilterBox } from '#client/kit/list/filter-box.tsx'
import { MediaRow, mediaList, mediaTitle } from '#client/kit/list/media-row.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { RoomItem } from '#shared/schemas/watch-room.schemas.ts'
import { maySteer } from './room.ts'
import { useRoom, useRoomState } from './room-context.ts'
import classes from './room-queue.module.css'

const FOUND_MAX = 6
const ADDRESS = /\/(video|clip)\/(\d+)/

export function RoomQueue({ items }: { items: readonly RoomItem[] }) {
  const mayChange = useRoomState(maySteer)
  const current = useRoomState(({ playback }) => playback?.itemId)
  return (
    <div className={column(12)}>
      {mayChange && <AddItem />}
      {mayChange ? (
        <OrderedQueue items={items} current={current} />
      ) : (
        <ol className={column(0)} aria-label="Queue">
          {items.map((item) => (
            <li key={item.id}>
              <Entry item={item} isCurrent={item.id === current} />
            </li>
          ))}
        </ol>
      )}
      {items.length === 0 && (
        <p className={look('note', 'centredText')}>
          {mayChange
            ? 'Search for a video above, or paste the address of one.'
            : 'Nothing is in the queue yet.'}
        </p>
      )}
    </div>
  )
}

type OrderedQueueProps = { items: readonly RoomItem[]; current: number | null | undefined }

function OrderedQueue({ items, current }: OrderedQueueProps) {
  const { token } = useRoom()
  const { mutate } = trpc.watchRoom.moveItem.useMutation({ onError: failed })
  const titled = useMemo(() => items.map((item) => ({ ...item, title: titleOf(item) })), [items])
  return (
    <section className={mediaList} aria-label="Queue">
      <SortableList
        items={titled}
        onMove={(itemId, toIndex) => mutate({ token, itemId, toIndex })}
        renderItem={(item, handle) => (
          <Entry item={item} isCurrent={item.id === current} handle={handle} />
        )}
      />
    </section>
  )
}

const failed = notifyFailure('The queue stays as it was')

const titleOf = ({ video, clip }: RoomItem) =>
  clip?.title ?? video?.title ?? 'A video that you may not watch'

/** Those who may steer have a handle. */
type EntryProps = { item: RoomItem; isCurrent: boolean; handle?: ReactNode }

function Entry({ item, isCurrent, handle }: EntryProps) {
  const { token, take } = useRoom()
  const { video, clip } = item
  const choose = trpc.watchRoom.choose.useMutation({ onSuccess: take, onError: failed })
  const remove = trpc.watchRoom.removeItem.useMutation({ onError: failed })
  const input = { token, itemId: item.id }
  const title = titleOf(item)
  const mayChange = handle !== undefined
  const seconds = clip ? clip.endSeconds - clip.startSeconds : (video?.duration ?? 0)
  return (
    <MediaRow
      className={classes.row}
      isCurrent={isCurrent}
      start={
        <>
          {handle}
          <span className={`${look('noShrink')} ${classes.mark}`}>
            {isCurrent && <IconPlayerPlayFilled size={14} role="img" aria-label="Playing" />}
          </span>
        </>
      }
      pictureUrl={video && (clip?.pictureUrl ?? posterOf(video).src)}
      seconds={seconds}
      title={
        mayChange && !isCurrent ? (
          <button
            type="button"
            className={`${mediaTitle} ${classes.choose}`}
            onClick={() => choose.mutate(input)}
          >
            {title}
          </button>
        ) : (
          <span className={mediaTitle} aria-current={isCurrent || undefined}>
            {title}
          </span>
        )
      }
      facts={video?.channel?.displayName ?? (video ? 'Anonymous' : '')}
      end={
        mayChange && (
          <IconButton
            variant="subtle"
            className={look('square')}
            aria-label={`Remove ${title} from the queue`}
            hint="Remove"
            onClick={() => remove.mutate(input)}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </IconButton>
        )
      }
    />
  )
}

/** Adds a video or clip that the member searches for or whose address they paste. */
function AddItem() {
  const { token } = useRoom()
  const [q, setQ] = useState('')
  const add = trpc.watchRoom.addItem.useMutation({ onSuccess: () => setQ('') })
  const [, kind, id] = ADDRESS.exec(q) ?? []
  const isSearch = q.length > 0 && id === undefined
  const found = trpc.search.videos.useQuery({ q, limit: FOUND_MAX }, { enabled: isSearch })
  const addLinked = () =>
    add.mutate({ token, ...(kind === 'clip' ? { clipId: Number(id) } : { videoId: Number(id) }) })
  return (
    <div className={column(8)}>
      <FilterBox label="Search, or paste an address" q={q} onFilter={setQ} maxLength={300} />
      {id !== undefined && (
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          loading={add.isPending}
          onClick={addLinked}
        >
          Add this {kind}
        </Button>
      )}
      {isSearch && found.data && (
        <ul className={column(0)} aria-label="Videos found">
          {found.data.items.map((video) => (
            <li key={video.id}>
              <MediaRow
                pictureUrl={posterOf(video).src}
                seconds={video.duration}
                title={<span className={mediaTitle}>{video.title}</span>}
                facts={video.channel?.displayName ?? 'Anonymous'}
                end={
                  <IconButton
                    variant="subtle"
                    className={look('square')}
                    aria-label={`Add ${video.title} to the queue`}
                    hint="Add"
                    onClick={() => add.mutate({ token, videoId: video.id })}
                  >
                    <IconPlus size={18} stroke={1.75} aria-hidden />
                  </IconButton>
                }
              />
            </li>
          ))}
        </ul>
      )}
      {isSearch && found.data?.items.length === 0 && (
        <p className={look('note')}>No video was found.</p>
      )}
      {(add.error ?? found.error) && (
        <p className={look('problem')} role="alert">
          {errorSentence(add.error ?? found.error)}
        </p>
      )}
    </div>
  )
}
