import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { cutRichText, parseRichText, type RichTextToken } from '#shared/rich-text.ts'
import classes from './rich-text.module.css'

type RichTextProps = {
  text: string
  /** Shows only the first characters. */
  maxCharacters?: number | undefined
  /** Times after the end of the video stay plain. */
  durationSeconds: number
  onSeek: (seconds: number) => void
}

/** What a member wrote: plain text in which links, times, #tags and @names can be used. */
export function RichText({ text, maxCharacters, durationSeconds, onSeek }: RichTextProps) {
  const all = useMemo(
    () => parseRichText(text, { maxSeconds: durationSeconds }),
    [text, durationSeconds],
  )
  const tokens = maxCharacters === undefined ? all : cutRichText(all, maxCharacters)
  let offset = 0
  return tokens.map((token) => {
    const key = offset
    offset += token.text.length
    return <Token key={key} token={token} onSeek={onSeek} />
  })
}

function Token({ token, onSeek }: { token: RichTextToken; onSeek: (seconds: number) => void }) {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'link':
      return (
        <a className={classes.link} href={token.href} target="_blank" rel="noopener nofollow ugc">
          {token.text}
        </a>
      )
    case 'time':
      return (
        <UnstyledButton className={classes.time} onClick={() => onSeek(token.seconds)}>
          {token.text}
        </UnstyledButton>
      )
    case 'hashtag':
      return (
        <Link to="/search" search={{ q: token.tag }} className={classes.link}>
          {token.text}
        </Link>
      )
    case 'mention':
      return <span className={classes.mention}>{token.text}</span>
  }
}
