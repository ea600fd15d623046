import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { cutRichText, parseRichText, type RichTextToken } from '#shared/text/rich-text.ts'
import classes from './rich-text.module.css'

type RichTextProps = {
  text: string
  /** Truncates. */
  maxCharacters?: number | undefined
  /** Later times stay plain. */
  durationSeconds: number
  onSeek: (seconds: number) => void
  /** Without links into the site. */
  isPlain?: boolean
}

export function RichText(props: RichTextProps) {
  const { text, maxCharacters, durationSeconds, onSeek, isPlain = false } = props
  const all = useMemo(
    () => parseRichText(text, { maxSeconds: durationSeconds }),
    [text, durationSeconds],
  )
  const tokens = maxCharacters === undefined ? all : cutRichText(all, maxCharacters)
  let offset = 0
  return tokens.map((token) => {
    const key = offset
    offset += token.text.length
    return <Token key={key} token={token} onSeek={onSeek} isPlain={isPlain} />
  })
}

type TokenProps = { token: RichTextToken; onSeek: (seconds: number) => void; isPlain: boolean }

function Token({ token, onSeek, isPlain }: TokenProps) {
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
      if (isPlain) return token.text
      return (
        <Link to="/search" search={{ q: token.tag }} className={classes.link}>
          {token.text}
        </Link>
      )
    case 'mention':
      return <span className={look('strong')}>{token.text}</span>
  }
}
