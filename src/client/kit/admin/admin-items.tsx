import '#client/kit/styles/mantine-pages.css'
import { Menu } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconDeviceGamepad2,
  IconEye,
  IconEyeOff,
  IconLockOpen,
  IconLogout,
  IconPencil,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Reply } from '#shared/schemas/comment.schemas.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { videoStateOf } from '#shared/video-state.ts'
import { type AdminAction, requestAdminAction } from '../../platform/admin-request.ts'
import { trpc } from '../../trpc.ts'

export type AdminSubject =
  | { video: Video }
  | { comment: Reply }
  | { post: Post }
  | { channel: User }
type AdminItemsProps = {
  subject: AdminSubject
  viewerId: number
  /** Focuses the menu's opener, which the dialog returns the focus to. */
  onChoose: () => void
  /** First in the menu. */
  isAlone?: boolean
}

type Item = { label: string; Icon: TablerIcon; action: AdminAction; isDanger?: boolean }

/** Last part of a menu. */
export default function AdminItems({ subject, viewerId, ...menu }: AdminItemsProps) {
  if ('channel' in subject) return <ChannelItems channel={subject.channel} {...menu} />
  const { items, owner } = ofSubject(subject)
  const isBannable = owner !== null && owner.id !== viewerId
  return <Items items={isBannable ? [...items, ban(owner)] : items} {...menu} />
}

function ofSubject(subject: Exclude<AdminSubject, { channel: User }>) {
  if ('video' in subject) return { items: ofVideo(subject.video), owner: subject.video.channel }
  if ('post' in subject) return { items: ofText(subject.post, 'Post'), owner: subject.post.user }
  return { items: ofText(subject.comment, 'Comment'), owner: subject.comment.user }
}

type MenuProps = Pick<AdminItemsProps, 'onChoose' | 'isAlone'>

function ChannelItems({ channel, ...menu }: MenuProps & { channel: User }) {
  const { id, displayName: name } = channel
  const { data: standing } = trpc.moderation.banConsequences.useQuery({ userId: id })
  // The server checks what is unknown here.
  if (standing?.isBanned) {
    const items = [
      { label: 'Lift the ban', Icon: IconLockOpen, action: { kind: 'unban', id, name } as const },
    ]
    return <Items items={items} {...menu} />
  }
  const items: Item[] = [
    { label: 'Edit channel', Icon: IconPencil, action: { kind: 'editChannel', channel } },
    { label: 'Warn', Icon: IconAlertTriangle, action: { kind: 'warn', id, name } },
    { label: 'Log out everywhere', Icon: IconLogout, action: { kind: 'endSessions', id, name } },
  ]
  return <Items items={standing?.isAdmin ? items : [...items, ban(channel)]} {...menu} />
}

function ban({ id, displayName }: { id: number; displayName: string }): Item {
  const action = { kind: 'ban', id, name: displayName } as const
  return { label: `Ban ${displayName}`, Icon: IconBan, action, isDanger: true }
}

function ofVideo(video: Video): Item[] {
  const { id, title: name } = video
  const state = videoStateOf(video)
  const hide = { label: 'Hide', Icon: IconEyeOff, action: { kind: 'hideVideo', id, name } } as const
  const unhide = {
    ...{ label: 'Show again', Icon: IconEye },
    action: { kind: 'unhideVideo', id, name },
  } as const
  const approve = {
    ...{ label: 'Approve', Icon: IconCheck },
    action: { kind: 'approveVideo', id, name },
  } as const
  const reject = {
    ...{ label: 'Reject', Icon: IconX },
    action: { kind: 'rejectVideo', id, name },
  } as const
  const judge: Partial<Record<typeof state, Item[]>> = {
    pending: [approve, reject],
    rejected: [approve],
    hidden: video.withheld === 'hidden' ? [unhide] : [],
  }
  return [
    ...(judge[state] ?? [hide]),
    { label: 'Edit', Icon: IconPencil, action: { kind: 'editVideo', video } },
    {
      label: 'Move to another game',
      Icon: IconDeviceGamepad2,
      action: { kind: 'moveVideo', video },
    },
    { label: 'Delete', Icon: IconTrash, action: { kind: 'deleteVideo', id, name }, isDanger: true },
  ]
}

function ofText({ id, withheld }: Pick<Reply, 'id' | 'withheld'>, noun: 'Comment' | 'Post') {
  const about = { id, name: '' }
  const items: Item[] = []
  if (withheld === 'held') {
    items.push({ label: 'Approve', Icon: IconCheck, action: { kind: `approve${noun}`, ...about } })
  }
  if (withheld === 'hidden') {
    items.push({ label: 'Show again', Icon: IconEye, action: { kind: `unhide${noun}`, ...about } })
  } else {
    items.push({ label: 'Hide', Icon: IconEyeOff, action: { kind: `hide${noun}`, ...about } })
  }
  const action = { kind: `delete${noun}`, ...about } as const
  return [...items, { label: 'Delete', Icon: IconTrash, action, isDanger: true }]
}

function Items({ items, onChoose, isAlone = false }: MenuProps & { items: Item[] }) {
  return (
    <>
      {!isAlone && <Menu.Divider />}
      <Menu.Label>As an admin</Menu.Label>
      {items.map(({ label, Icon, action, isDanger }) => (
        <Menu.Item
          key={label}
          leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
          data-danger={isDanger || undefined}
          onClick={() => {
            onChoose()
            requestAdminAction(action)
          }}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
