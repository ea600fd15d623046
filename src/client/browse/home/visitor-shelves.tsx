import { GameTiles } from '../explore/game-tiles.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'
import { useVisitorShelves } from './use-visitor-shelves.ts'

/** After the newest videos: what was liked most this week, and the games. */
export default function VisitorShelves({ few }: { few: number | undefined }) {
  const { loved, games } = useVisitorShelves(few)
  return (
    <>
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
