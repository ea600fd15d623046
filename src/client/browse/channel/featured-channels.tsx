import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { MemberPicker } from '#client/kit/control/member-picker.tsx'
import { PeopleDrawing } from '#client/kit/drawings/people-drawing.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import { FEATURED_CHANNELS_MAX } from '#shared/limits.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import { formatSubscribers } from '#shared/text/format.ts'
import { ChannelCards, ChannelCardsSkeleton } from '../feed/channel-cards.tsx'
import { SubscribeButton } from '../subscription/subscribe-button.tsx'
import { EmptyTab } from './empty-tab.tsx'
import classes from './featured-channels.module.css'

type FeaturedChannelsProps = { channelId: number; viewerId: number | undefined }

/** The owner edits in place. */
export default function FeaturedChannels({ channelId, viewerId }: FeaturedChannelsProps) {
  const { data, isPending, error, refetch } = trpc.featuredChannel.list.useQuery({ id: channelId })
  if (isPending) return <ChannelCardsSkeleton />
  if (!data) return <LoadError error={error} onRetry={() => void refetch()} />
  if (channelId === viewerId) return <FeaturedEditor channels={data} ownId={channelId} />
  if (data.length === 0) return <NoChannels />
  return (
    <ChannelCards
      channels={data}
      renderAction={(channel, nameId) =>
        channel.id !== viewerId && (
          <SubscribeButton
            channel={channel}
            isSignedIn={viewerId !== undefined}
            describedBy={nameId}
          />
        )
      }
    />
  )
}

function NoChannels({ isOwn = false }) {
  return (
    <EmptyTab
      what="channels"
      drawing={<PeopleDrawing />}
      ownText={isOwn && 'The first one you choose will be shown here.'}
    />
  )
}

function FeaturedEditor({ channels, ownId }: { channels: User[]; ownId: number }) {
  const utils = trpc.useUtils()
  const options = {
    onError: notifyFailure('Error'),
    onSettled: () => utils.featuredChannel.list.invalidate({ id: ownId }),
  }
  const add = trpc.featuredChannel.add.useMutation(options)
  const remove = trpc.featuredChannel.remove.useMutation(options)
  const move = trpc.featuredChannel.move.useMutation(options)
  const isFull = channels.length >= FEATURED_CHANNELS_MAX
  return (
    <div className={`${column(16)} ${classes.editor}`}>
      <h2 className="visually-hidden">Channels</h2>
      {isFull ? (
        <p className={look('note')}>{FEATURED_CHANNELS_MAX} channels is the most there can be.</p>
      ) : (
        <MemberPicker
          label="Feature a channel"
          description="Visitors to your channel see these channels, in this order."
          without={[ownId, ...channels.map(({ id }) => id)]}
          onPick={({ id }) => add.mutate({ channelId: id })}
        />
      )}
      {channels.length === 0 && <NoChannels isOwn />}
      <SortableList
        items={channels.map((channel) => ({ ...channel, title: channel.displayName }))}
        onMove={(channelId, toIndex) => move.mutate({ channelId, toIndex })}
        renderItem={(channel, handle) => (
          <div className={row(12, 'fullWidth', 'pad8')}>
            {handle}
            <UserAvatar name={channel.displayName} src={channel.avatarUrl} size={44} />
            <div className={column(0, 'fill')}>
              <Link
                to="/profile/$id"
                params={{ id: String(channel.id) }}
                className={look('strong', 'breakWords', 'textColor')}
              >
                {channel.displayName}
              </Link>
              <span className={look('note')}>{formatSubscribers(channel.subscriberCount)}</span>
            </div>
            <IconButton
              aria-label={`Remove ${channel.displayName}`}
              hint="Remove"
              onClick={() => remove.mutate({ channelId: channel.id })}
            >
              <IconX size={20} stroke={1.75} aria-hidden />
            </IconButton>
          </div>
        )}
      />
    </div>
  )
}
