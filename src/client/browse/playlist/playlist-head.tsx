import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import { PlayAll } from '../queue/play-all.tsx'
import classes from './playlist-head.module.css'

const headLook = `${stack(16, 'relative', 'pad24', 'atTop', 'clipped', 'framed')} ${classes.head}`

type PlaylistHeadProps = {
  title: string
  description?: string
  pictureUrl: string | null
  /** Owner, count, visibility. */
  facts: ReactNode
  /** Value of `?list=`. */
  list: string
  videos: readonly { id: number }[]
  /** Further buttons. */
  children?: ReactNode
}

export function PlaylistHead(props: PlaylistHeadProps) {
  const { title, description, pictureUrl, facts, list, videos, children } = props
  return (
    <header className={headLook}>
      {pictureUrl && <img className={classes.glow} src={pictureUrl} alt="" aria-hidden="true" />}
      <div>
        <Picture src={pictureUrl} isAboveFold />
      </div>
      <div className={stack(8, 'shrink', 'atTop')}>
        <h1 className={look('breakWords', 'size22')}>{title}</h1>
        <div className={classes.facts}>{facts}</div>
        {description && <p className={classes.description}>{description}</p>}
        <div className={`${wrapped(8, 'above8')} ${classes.actions}`}>
          <PlayAll list={list} videos={videos} className={classes.play} />
          {children}
        </div>
      </div>
    </header>
  )
}

export function PlaylistHeadSkeleton() {
  return (
    <div className={headLook} aria-hidden="true">
      <div>
        <PictureSkeleton />
      </div>
      <div className={stack(8, 'shrink', 'atTop')}>
        <div className={look('breakWords', 'size22')}>
          <TextSkeleton width="80%" />
        </div>
        <div className={classes.facts}>
          <TextSkeleton width="55%" />
        </div>
        <div className={`${wrapped(8, 'above8')} ${classes.actions}`}>
          <Skeleton className={look('grow', 'rounded', 'control')} />
        </div>
      </div>
    </div>
  )
}
