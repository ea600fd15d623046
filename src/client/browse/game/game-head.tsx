import { Link } from '@tanstack/react-router'
import { Faces } from '#client/kit/face/faces.tsx'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { posterOf } from '#shared/poster.ts'
import type { GamePage } from '#shared/schemas/home.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { nameSome } from '#shared/text/names.ts'
import classes from './game-head.module.css'

/** Describes a game above its videos. Renders nothing if it has no videos, clips or picture. */
export default function GameHead({ game }: { game: GamePage }) {
  const { name, isArchived, picture, videoCount, clips, people, peopleCount } = game
  if (videoCount === 0 && clips.length === 0 && !picture) return null
  const names = people.map(({ displayName }) => displayName)
  return (
    <section
      className={classes.head}
      data-game={name}
      data-clips={clips.length > 0 || undefined}
      aria-label={`About ${name}`}
    >
      {picture && (
        <img
          className={classes.picture}
          data-poster={picture.isArt ? undefined : true}
          src={picture.url}
          alt=""
          decoding="async"
        />
      )}
      <div className={column(8)}>
        <p className={classes.name}>{name}</p>
        {(videoCount > 0 || isArchived) && (
          <p>
            {videoCount > 0 && countText(videoCount)}
            {isArchived && (videoCount > 0 ? ' · archived' : 'Archived')}
          </p>
        )}
        {people.length > 0 && (
          <p className={`${row(8)} ${classes.people}`}>
            <Faces people={people} />
            <span>Played by {nameSome(names, peopleCount)}</span>
          </p>
        )}
      </div>
      {clips.length > 0 && (
        <ul className={classes.clips} aria-label={`Best clips of ${name}`}>
          {clips.map((clip) => (
            <li key={clip.id}>
              <Link to="/clip/$id" params={{ id: String(clip.id) }} className={classes.clip}>
                <ClipPicture src={clip.pictureUrl ?? posterOf(clip.video).src} />
                <span>
                  <span className={look('twoLines')}>{clip.title}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ClipPicture({ src }: { src: string | null }) {
  return src && <img src={src} alt="" width={320} height={180} decoding="async" />
}

const countText = (count: number) => (count === 1 ? '1 video' : `${formatCount(count)} videos`)
