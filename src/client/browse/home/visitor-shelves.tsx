import { LinkButton } from '#client/kit/control/link-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useNearness } from '#client/kit/use-nearness.ts'
import { GameName } from '#client/kit/video/game-facts.tsx'
import { whenIdle } from '#client/platform/when-idle.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ClipShelf } from '../clip/clip-list.tsx'
import { GameTiles } from '../explore/game-tiles.tsx'
import { NEW_CLIPS } from '../queue/clip-queue-key.ts'
import type { MaxColumns } from '../video/list/video-grid.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { ShelfLine, ShelfOf } from './shelf-of.tsx'
import { useVisitorShelves } from './use-visitor-shelves.ts'

/** It lies below the first screen, so its code is loaded when the page is idle. */
const SuggestedChannels = lazyPart(
  async () => {
    await whenIdle()
    return import('../subscription/suggested-channels.tsx')
  },
  null,
  null,
)

type ShelvesProps = {
  few: number | undefined
  isMember: boolean
  maxColumns?: MaxColumns | undefined
}

/** Shows people to follow, new clips, videos loved this week and games. */
export function VisitorShelves({ few, isMember, maxColumns }: ShelvesProps) {
  const [ref, isNear] = useNearness()
  const { clips, loved, games, tiles } = useVisitorShelves(few, { isMember, isNear })
  return (
    <>
      <span ref={ref} />
      {isMember && isNear && <SuggestedChannels />}
      <NewClips clips={clips} />
      <ShelfOf title="Loved this week" videos={loved} maxColumns={maxColumns} />
      {games.map(({ name, videos }) => (
        <ShelfOf
          key={name}
          title={<GameName name={name} />}
          action={
            <LinkButton to="/" search={{ category: name }} variant="subtle" size="sm">
              All of {name}
            </LinkButton>
          }
          {...{ videos, maxColumns }}
        />
      ))}
      {tiles.length > 0 && (
        <HomeShelf title="Games">
          <GameTiles games={tiles} />
        </HomeShelf>
      )}
    </>
  )
}

function NewClips({ clips }: { clips: Clip[] }) {
  const [first, second] = clips
  if (!first) return null
  const heading = {
    title: 'New clips',
    action: (
      <LinkButton to="/clips" variant="subtle" size="sm">
        Watch all
      </LinkButton>
    ),
  }
  if (!second) return <ShelfLine {...heading} item={{ clip: first }} />
  return (
    <HomeShelf {...heading}>
      <ClipShelf clips={clips} list={NEW_CLIPS} />
    </HomeShelf>
  )
}
