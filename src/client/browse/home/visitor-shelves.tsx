import { trpc } from '#client/trpc.ts'
import { GameTiles } from '../explore/game-tiles.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'

/** Between the newest videos and the rest: what was liked most this week, and the games. */
export default function VisitorShelves() {
  const loved = trpc.explore.loved.useQuery()
  const games = trpc.explore.games.useQuery()
  const played = games.data?.filter(({ videoCount }) => videoCount > 0)
  return (
    <>
      {loved.data && loved.data.length > 0 && (
        <HomeShelf title="Loved this week">
          <VideoShelf videos={loved.data} heading="h3" />
        </HomeShelf>
      )}
      {played && played.length > 0 && (
        <HomeShelf title="Games">
          <GameTiles games={played} />
        </HomeShelf>
      )}
    </>
  )
}
