import { Link } from '@tanstack/react-router'
import classes from '../admin.module.css'

export function OnClip({ clip }: { clip: { id: number; title: string } }) {
  return (
    <>
      On the clip{' '}
      <Link to="/clip/$id" params={{ id: String(clip.id) }} className={classes.link}>
        {clip.title}
      </Link>
    </>
  )
}

/** Leads to the channel's posts. */
export function PostsLink({ channel }: { channel: { id: number; displayName: string } }) {
  return (
    <Link
      to="/profile/$id"
      params={{ id: String(channel.id) }}
      search={{ tab: 'community' }}
      className={classes.link}
    >
      {channel.displayName}
    </Link>
  )
}

export function OnPost({ channel }: { channel: { id: number; displayName: string } }) {
  return (
    <>
      On a post of <PostsLink channel={channel} />
    </>
  )
}
