import { Skeleton } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import classes from './playlist-head.module.css'

type PlaylistHeadProps = {
  title: string
  description?: string
  pictureUrl: string | null
  /** Owner, count, who may see it. */
  facts: ReactNode
  /** What 'Play all' starts with; undefined when there is nothing to play. */
  firstVideoId: number | undefined
  /** Further buttons. */
  children?: ReactNode
}

/** What a playlist is, and the button that plays it. */
export function PlaylistHead(props: PlaylistHeadProps) {
  const { title, description, pictureUrl, facts, firstVideoId, children } = props
  return (
    <header className={classes.head}>
      {pictureUrl && <img className={classes.glow} src={pictureUrl} alt="" aria-hidden="true" />}
      <div className={classes.picture}>
        <Picture src={pictureUrl} isAboveFold />
      </div>
      <div className={classes.words}>
        <h1 className={classes.title}>{title}</h1>
        <div className={classes.facts}>{facts}</div>
        {description && <p className={classes.description}>{description}</p>}
        <div className={classes.actions}>
          {firstVideoId !== undefined && (
            <LinkButton
              to="/video/$id"
              params={{ id: String(firstVideoId) }}
              className={classes.play}
              leftSection={<IconPlayerPlayFilled size={18} aria-hidden />}
            >
              Play all
            </LinkButton>
          )}
          {children}
        </div>
      </div>
    </header>
  )
}

export function PlaylistHeadSkeleton() {
  return (
    <div className={classes.head} aria-hidden="true">
      <div className={classes.picture}>
        <PictureSkeleton />
      </div>
      <div className={classes.words}>
        <div className={classes.title}>
          <TextSkeleton width="80%" />
        </div>
        <div className={classes.facts}>
          <TextSkeleton width="55%" />
        </div>
        <div className={classes.actions}>
          <Skeleton className={classes.skeleton} />
        </div>
      </div>
    </div>
  )
}
