import { trpc } from '#client/trpc.ts'
import { ChannelCards } from '../feed/channel-cards.tsx'
import { HomeShelf } from '../home/home-shelf.tsx'
import { SubscribeButton } from './subscribe-button.tsx'

/** Shown to members who follow nobody. The cards stay when the member follows some of them. */
export default function SuggestedChannels() {
  const { data: people = [] } = trpc.home.people.useQuery()
  const { data: followed = [] } = trpc.subscription.channels.useQuery()
  if (people.length === 0) return null
  return (
    <HomeShelf title="People to follow">
      <ChannelCards
        as="h3"
        channels={people}
        renderAction={(channel, nameId) => (
          <SubscribeButton
            channel={{ ...channel, isSubscribed: followed.some(({ id }) => id === channel.id) }}
            isSignedIn
            describedBy={nameId}
          />
        )}
      />
    </HomeShelf>
  )
}
