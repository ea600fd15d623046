import { UnstyledButton } from '@mantine/core'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { PublishedAt } from '../../kit/video/published-at.tsx'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { ListFrame } from '../list-frame.tsx'
import { useAddress } from '../use-address.ts'
import { ApprovalStage } from './approval-stage.tsx'
import styles from './approvals.module.css'

const REASONS = ['Not about games', "Somebody else's video", 'Shows personal data', 'Poor quality']

/** Oldest first; keys move through the list. */
export function Approvals() {
  const { search } = useAddress()
  const queue = trpc.moderation.queue.useInfiniteQuery({ q: search.q }, nextPage)
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by title or name" />
        <p className={look('note', 'mouseOnly')}>
          <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>A</kbd> approves, <kbd>R</kbd> rejects,{' '}
          <kbd>Space</kbd> plays
        </p>
      </div>
      <ListFrame
        query={queue}
        empty={{
          drawing: <FilmDrawing />,
          title: search.q ? 'Nothing matches' : 'Nothing waits for approval',
          text: search.q ? 'Try other words.' : 'New uploads show up here when they need approval.',
        }}
      >
        {(videos) => <Triage videos={videos} />}
      </ListFrame>
    </>
  )
}

function Triage({ videos }: { videos: Video[] }) {
  const player = useRef<HTMLVideoElement>(null)
  const keepVideo = useCallback((element: HTMLVideoElement) => {
    player.current = element
    return () => {
      player.current = null
    }
  }, [])
  const [chosenId, setChosenId] = useState<number>()
  const [isRejecting, setRejecting] = useState(false)
  const utils = trpc.useUtils()
  const index = Math.max(
    0,
    videos.findIndex(({ id }) => id === chosenId),
  )
  const chosen = videos[index] as Video
  const finish = async (title: string) => {
    // Selects the next one before this one disappears.
    setChosenId((videos[index + 1] ?? videos[index - 1])?.id)
    notify({ title, message: chosen.title })
    await Promise.all([utils.moderation.queue.invalidate(), utils.overview.invalidate()])
  }
  const approve = trpc.moderation.approve.useMutation({
    onSuccess: () => finish('Approved'),
    onError: notifyFailure('Not approved'),
  })
  const reject = trpc.moderation.reject.useMutation({ onSuccess: () => finish('Rejected') })
  const move = (step: 1 | -1) => setChosenId((videos[index + step] ?? chosen).id)
  const approveChosen = () => {
    if (!approve.isPending) approve.mutate({ id: chosen.id })
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isRejecting || isTyping(event)) return
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const acts: Record<string, () => void> = {
      j: () => move(1),
      k: () => move(-1),
      a: approveChosen,
      r: () => setRejecting(true),
      ' ': () => togglePlay(player.current),
    }
    const key = event.key.toLowerCase()
    const act = acts[key]
    // Key repeat moves through the list, but judges one video only.
    if (!act || (event.repeat && key !== 'j' && key !== 'k')) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <div className={`${stack(16)} ${styles.layout}`}>
      <ApprovalStage
        key={chosen.id}
        video={chosen}
        onVideo={keepVideo}
        isApproving={approve.isPending}
        onApprove={approveChosen}
        onReject={() => setRejecting(true)}
      />
      <ol className={stack(4, 'atTop')} aria-label="Waiting videos">
        {videos.map((video) => (
          <li key={video.id}>
            <QueueEntry
              video={video}
              isChosen={video === chosen}
              isWalkedTo={video.id === chosenId}
              onChoose={() => setChosenId(video.id)}
            />
          </li>
        ))}
      </ol>
      {isRejecting && (
        <AskDialog
          title={`Reject "${chosen.title}"?`}
          confirmLabel="Reject"
          pendingLabel="Rejecting..."
          isDanger
          reasonLabel={REASON_LABEL}
          presets={REASONS}
          onConfirm={(reason) => reject.mutateAsync({ id: chosen.id, reason })}
          onClose={() => setRejecting(false)}
        >
          Only its owner and admins will see it. The owner can change it and send it in again.
        </AskDialog>
      )}
    </div>
  )
}

type QueueEntryProps = {
  video: Video
  isChosen: boolean
  /** Selected by the user, so it scrolls into view. */
  isWalkedTo: boolean
  onChoose: () => void
}

function QueueEntry({ video, isChosen, isWalkedTo, onChoose }: QueueEntryProps) {
  return (
    <UnstyledButton
      ref={(entry) => {
        if (isWalkedTo) entry?.scrollIntoView({ block: 'nearest' })
      }}
      className={`${row(12, 'hoverable')} ${styles.entry}`}
      aria-current={isChosen}
      onClick={onChoose}
    >
      <Thumbnail src={video.thumbnailUrl} />
      <span className={classes.names}>
        <span className={look('strong', 'breakWords', 'textColor')}>{video.title}</span>
        <span className={look('muted')}>
          {video.channel?.displayName ?? 'Anonymous'} · <PublishedAt time={video.publishedAt} />
        </span>
      </span>
    </UnstyledButton>
  )
}

/** Also true for Space on a focused button. */
function isTyping({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('input, textarea, select, [contenteditable], dialog')) return true
  return key === ' ' && target.closest('button, a, summary') !== null
}

function togglePlay(video: HTMLVideoElement | null): void {
  if (!video) return
  if (video.paused) void video.play().catch(() => undefined)
  else video.pause()
}
