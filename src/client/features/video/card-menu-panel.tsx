import {
  IconClock,
  IconEyeOff,
  IconLogin2,
  IconPlaylistAdd,
  IconShare3,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { notify } from '../../kit/notify.tsx'
import { serverSentence } from '../../lib/error-message.ts'
import { shareLink } from '../../lib/share-link.ts'
import { trpc } from '../../trpc.ts'
import classes from './card-menu-panel.module.css'

type CardMenuPanelProps = {
  video: Video
  onPick: () => void
  onHide: ((isHidden: boolean) => void) | undefined
}

export default function CardMenuPanel({ video, onPick, onHide }: CardMenuPanelProps) {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const utils = trpc.useUtils()
  const watchLater = trpc.playlist.addToWatchLater.useMutation({
    onSuccess: async () => {
      notify({ title: 'Saved to Watch later', message: video.title })
      await utils.playlist.invalidate()
    },
    onError: (error) => failed('The video could not be saved', error),
  })
  const hide = trpc.video.hide.useMutation({
    onError: (error) => {
      onHide?.(false)
      failed('The video could not be hidden', error)
    },
  })
  const notInterested = () => {
    hide.mutate({ id: video.id })
    onHide?.(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys come besides Tab.
    <div className={classes.list} ref={focusFirst} onKeyDown={moveFocus}>
      {viewer ? (
        <>
          <Item
            Icon={IconClock}
            label="Watch later"
            onPress={() => watchLater.mutate({ videoId: video.id })}
          />
          <Item Icon={IconPlaylistAdd} label="Add to playlist" onPress={onPick} />
        </>
      ) : (
        <Link to="/auth" className={classes.item}>
          <IconLogin2 size={20} stroke={1.75} aria-hidden />
          Sign in to save
        </Link>
      )}
      <Item
        Icon={IconShare3}
        label="Share"
        onPress={() => void shareLink({ path: `/video/${video.id}`, title: video.title })}
      />
      {viewer && onHide && viewer.id !== video.userId && (
        <Item Icon={IconEyeOff} label="Not interested" onPress={notInterested} />
      )}
    </div>
  )
}

type ItemProps = { Icon: TablerIcon; label: string; onPress: () => void }

function Item({ Icon, label, onPress }: ItemProps) {
  const press = (event: MouseEvent<HTMLElement>) => {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onPress()
  }
  return (
    <button type="button" className={classes.item} onClick={press}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {label}
    </button>
  )
}

const itemsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('button, a')]

/** Drawn before the panel is shown it cannot be focused yet: then the browser does it on showing. */
function focusFirst(list: HTMLElement | null): void {
  const first = list && itemsOf(list)[0]
  if (!first) return
  first.autofocus = true
  first.focus()
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget)
  const here = items.findIndex((item) => item.matches(':focus'))
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

function failed(title: string, error: unknown): void {
  notify({ tone: 'error', title, message: serverSentence(error) })
}
