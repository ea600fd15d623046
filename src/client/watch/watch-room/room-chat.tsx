import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { RoomMessage } from '#shared/schemas/watch-room.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import { ROOM_MESSAGE_MAX } from '#shared/watch-rooms.ts'
import classes from './room-chat.module.css'
import { useRoom, useRoomState } from './room-context.ts'

const ignore = () => undefined
/** The list scrolls to new messages if it is nearer to its end than this, in pixels. */
const NEAR_END_PX = 80

type RoomChatProps = {
  viewerId: number | undefined
  /** Returns the place in the video or clip, in seconds. */
  time: () => number
}

export function RoomChat({ viewerId, time }: RoomChatProps) {
  const messages = useRoomState((state) => state.messages)
  const list = useFollowedList(messages)
  return (
    <div className={`${column(12)} ${classes.chat}`}>
      <div
        ref={list}
        className={`${column(12)} ${classes.list}`}
        role="log"
        aria-label="Chat"
        aria-live="polite"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        tabIndex={0}
      >
        {messages.length === 0 && (
          <p className={look('note', 'centredText')}>
            What is written here goes away with the room.
          </p>
        )}
        {messages.map((message) => (
          <Message key={message.id} message={message} isOwn={message.user.id === viewerId} />
        ))}
      </div>
      {viewerId === undefined ? (
        <p className={look('note')}>Sign in to write and to react.</p>
      ) : (
        <Composer time={time} />
      )}
    </div>
  )
}

/** Stays at the newest message unless the reader has scrolled up. */
function useFollowedList(messages: readonly RoomMessage[]) {
  const list = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages change the height.
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const isAtEnd = height.current - element.scrollTop - element.clientHeight < NEAR_END_PX
    if (height.current === 0 || isAtEnd) element.scrollTop = element.scrollHeight
    height.current = element.scrollHeight
  }, [messages])
  return list
}

function Message({ message, isOwn }: { message: RoomMessage; isOwn: boolean }) {
  const { user, content } = message
  return (
    <div className={row(8, 'start')} data-own={isOwn || undefined}>
      <UserAvatar name={user.displayName} src={user.avatarUrl} size={28} />
      <p className={`${look('breakWords', 'preserveLines', 'shrink')} ${classes.text}`}>
        <b className={look(isOwn ? 'accentColor' : 'textColor')}>{user.displayName}</b>{' '}
        <RichText text={content} durationSeconds={0} onSeek={ignore} isPlain />
      </p>
    </div>
  )
}

function Composer({ time }: Pick<RoomChatProps, 'time'>) {
  const { token } = useRoom()
  const [content, setContent] = useState('')
  const [isComment, setComment] = useState(false)
  const hasItem = useRoomState(({ playback }) => playback?.itemId != null)
  const say = trpc.watchRoom.say.useMutation({
    onSuccess: () => setContent(''),
  })
  const send = () => {
    if (content.trim() === '' || say.isPending) return
    const commentAt = isComment && hasItem ? { commentAt: time() } : {}
    say.mutate({ token, content, ...commentAt })
  }
  return (
    <form
      className={column(8)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={row(8, 'start')}>
        <TextInput
          className={look('grow')}
          aria-label="Message"
          placeholder="Message"
          autoComplete="off"
          maxLength={ROOM_MESSAGE_MAX}
          value={content}
          error={say.error && errorSentence(say.error)}
          onChange={({ currentTarget }) => setContent(currentTarget.value)}
        />
        <Button type="submit" aria-label="Send" disabled={content.trim() === ''} px={12}>
          <IconSend2 size={20} stroke={1.75} aria-hidden />
        </Button>
      </div>
      {hasItem && (
        <Checkbox
          label={
            isComment
              ? `Also a comment at ${formatDuration(time())}`
              : 'Also post as a comment at this moment'
          }
          checked={isComment}
          onChange={({ currentTarget }) => setComment(currentTarget.checked)}
        />
      )}
    </form>
  )
}
