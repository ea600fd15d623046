import { LinkButton } from '#client/kit/control/link-button.tsx'
import { ClipShelf } from '../clip/clip-list.tsx'
import { GameTiles } from '../explore/game-tiles.tsx'
import { NEW_CLIPS } from '../queue/clip-queue-key.ts'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { useVisitorShelves } from './use-visitor-shelves.ts'

type ShelvesProps = { few: number | undefined; isMember: boolean }

/** Members have other shelves. */
const NONE = { loved: [], games: [] }

/** New clips for all; loved videos and games for visitors. */
export function VisitorShelves({ few, isMember }: ShelvesProps) {
  const { clips, ...shelves } = useVisitorShelves(few, { isMember })
  const { loved, games } = isMember ? NONE : shelves
  return (
    <>
      {clips.length > 0 && (
        <HomeShelf
          title="New clips"
          action={
            <LinkButton to="/clips" variant="subtle" size="sm">
              Watch all
            </LinkButton>
          }
        >
          <ClipShelf clips={clips} list={NEW_CLIPS} />
        </HomeShelf>
      )}
      {loved.length > 0 && (
        <HomeShelf title="Loved this week">
          <VideoShelf videos={loved} heading="h3" />
        </HomeShelf>
      )}
      {games.length > 0 && (
        <HomeShelf title="Games">
          <GameTiles games={games} />
        </HomeShelf>
      )}
    </>
  )
}
