import { ClipShelf } from '../clip/clip-list.tsx'
import { GameTiles } from '../explore/game-tiles.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { useVisitorShelves } from './use-visitor-shelves.ts'

type ShelvesProps = { few: number | undefined; isMember: boolean }

/** Members have shelves of their own. */
const NONE = { loved: [], games: [] }

/** After the newest videos: new clips, and for visitors what was liked most this week, and the games. */
export default function VisitorShelves({ few, isMember }: ShelvesProps) {
  const { clips, ...shelves } = useVisitorShelves(few)
  const { loved, games } = isMember ? NONE : shelves
  return (
    <>
      {clips.length > 0 && (
        <HomeShelf title="New clips">
          <ClipShelf clips={clips} />
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
