import type { HTMLAttributes, ReactNode } from 'react'
import { TextSkeleton } from '../list/text-skeleton.tsx'
import classes from './card.module.css'

/** Class name of a link that covers its card. */
export const cover = classes.cover

/** Like `cover`, with the focus ring around the card. */
export const coverLink = `${cover} ${classes.ringed}`

type Heading = 'h2' | 'h3' | 'h4'

type CardTitleProps = {
  as?: Heading | 'div'
  id?: string
  /** Longer text is cut off. */
  lines?: 1 | 2
  className?: string | undefined
  children: ReactNode
}

export function CardTitle({ as: Tag = 'h3', lines = 1, className = '', ...rest }: CardTitleProps) {
  return <Tag className={`${classes.title} ${className}`} data-lines={lines} {...rest} />
}

type CardProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  as?: 'article' | 'li'
  picture: ReactNode
  /** Left of the words. */
  avatar?: ReactNode
  heading?: Heading
  /** Holds a link with the class `coverLink`. */
  title: ReactNode
  titleLines?: 1 | 2
  /** One line each. */
  facts: ReactNode[]
  /** Right of the words. */
  menu?: ReactNode
  isSmall?: boolean
}

/** A picture with a title and lines of facts below. */
export function Card(props: CardProps) {
  const { as: Tag = 'article', className = '', isSmall, ...rest } = props
  const { picture, avatar, heading = 'h3', title, titleLines = 1, facts, menu, ...element } = rest
  return (
    <Tag className={`${classes.card} ${className}`} {...element}>
      {picture}
      <div className={classes.below} data-small={isSmall || undefined}>
        {avatar}
        <div className={classes.words}>
          <CardTitle as={heading} lines={titleLines}>
            {title}
          </CardTitle>
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card's facts keep their order.
            <p key={index} className={classes.fact}>
              {fact}
            </p>
          ))}
        </div>
        {menu}
      </div>
    </Tag>
  )
}

type CardSkeletonProps = Pick<CardProps, 'picture' | 'avatar' | 'className' | 'isSmall'> & {
  /** The widths of the lines of the title, and of each fact. */
  title?: string[]
  facts: string[]
}

/** Placeholder with the boxes of a `Card`. */
export function CardSkeleton(props: CardSkeletonProps) {
  const { picture, avatar, title = ['100%'], facts, className = '', isSmall, ...rest } = props
  return (
    <div className={`${classes.card} ${className}`} aria-hidden="true" {...rest}>
      {picture}
      <div className={classes.below} data-small={isSmall || undefined}>
        {avatar}
        <div className={classes.words}>
          <CardTitle as="div" lines={title.length > 1 ? 2 : 1}>
            {title.map((width) => (
              <TextSkeleton key={width} width={width} />
            ))}
          </CardTitle>
          {facts.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a card's facts keep their order.
            <div key={index} className={classes.fact}>
              <TextSkeleton width={width} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
