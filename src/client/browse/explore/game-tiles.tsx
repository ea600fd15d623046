import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { stack } from '#client/kit/layout/layout.ts'
import { Mark } from '#client/kit/mark.tsx'
import { FittedImage } from '#client/kit/video/fitted-image.tsx'
import { useCategories } from '#client/platform/use-site.ts'
import type { Category } from '#shared/limits.ts'
import { formatCount } from '#shared/text/format.ts'
import classes from './game-tiles.module.css'

type Game = { name: Category; videoCount: number; pictureUrl: string | null }

/** Newest picture in the game's hue. */
export function GameTiles({ games }: { games: Game[] }) {
  return (
    <ul className={classes.tiles}>
      {games.map((game) => (
        <li key={game.name} data-game={game.name}>
          <Link to="/" search={{ category: game.name }} className={classes.tile}>
            {game.pictureUrl ? (
              <span className={classes.picture}>
                <FittedImage src={game.pictureUrl} loading="lazy" decoding="async" />
              </span>
            ) : (
              <Mark size={120} className={classes.mark} />
            )}
            <span className={`${classes.words} ${stack(0, 'pad16')}`}>
              <span className={classes.name}>{game.name}</span>
              <span className={classes.count}>{countText(game.videoCount)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function countText(count: number): string {
  if (count === 0) return 'No videos yet'
  return count === 1 ? '1 video' : `${formatCount(count)} videos`
}

export function GameTilesSkeleton() {
  const categories = useCategories()
  return (
    <div className={classes.tiles} role="status" aria-label="Loading games">
      {categories.map((name) => (
        <Skeleton key={name} className={classes.tile} />
      ))}
    </div>
  )
}
