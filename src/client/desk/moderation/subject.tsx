import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { UserAvatar } from '../../kit/user-avatar.tsx'
import classes from '../admin.module.css'

type VideoSubjectProps = {
  video: { id: number; title: string; thumbnailUrl: string | null }
  children?: ReactNode
}

export function VideoSubject({ video, children }: VideoSubjectProps) {
  return (
    <div className={row(12, 'shrink')}>
      <Thumbnail src={video.thumbnailUrl} />
      <div className={classes.names}>
        <Link
          to="/video/$id"
          params={{ id: String(video.id) }}
          className={look('strong', 'breakWords', 'textColor')}
        >
          {video.title}
        </Link>
        {children && <span className={look('muted')}>{children}</span>}
      </div>
    </div>
  )
}

type MemberSubjectProps = {
  member: { id: number; username: string; displayName: string; avatarUrl: string | null }
  children?: ReactNode
}

export function MemberSubject({ member, children }: MemberSubjectProps) {
  return (
    <div className={row(12, 'shrink')}>
      <UserAvatar name={member.displayName} src={member.avatarUrl} size={36} />
      <div className={classes.names}>
        <Link
          to="/profile/$id"
          params={{ id: String(member.id) }}
          className={look('strong', 'breakWords', 'textColor')}
        >
          {member.displayName}
        </Link>
        <span className={look('muted')}>
          @{member.username}
          {children}
        </span>
      </div>
    </div>
  )
}

/** A finished subject has no colour, because most rows of a list are finished. */
const TONES: Record<string, 'good' | 'wrong' | 'busy'> = {
  open: 'good',
  failed: 'wrong',
  banned: 'wrong',
  running: 'busy',
  queued: 'busy',
  serving: 'good',
  unready: 'wrong',
  draining: 'busy',
  silent: 'wrong',
}

export function StateLabel({ state, children }: { state: string; children: ReactNode }) {
  return (
    <span className={classes.state} data-tone={TONES[state]}>
      {children}
    </span>
  )
}
