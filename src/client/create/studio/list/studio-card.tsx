import { Badge, Skeleton } from '@mantine/core'
import { IconEye, IconPencil, IconPlayerPlay, IconThumbUp, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { CardTitle } from '#client/kit/card/card.tsx'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { Picture, PictureSkeleton } from '#client/kit/video/picture.tsx'
import { ProcessingActions } from '#client/kit/video/processing-actions.tsx'
import { StateBadge } from '#client/kit/video/state-badge.tsx'
import { LadderLine } from '#client/kit/video/work-line.tsx'
import { VisibilityBadge } from '#client/kit/visibility/visibility-badge.tsx'
import { CARD_SIZES, posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatCount, formatDuration, formatViews } from '#shared/text/format.ts'
import { MomentsNote } from '../../moments/moments-note.tsx'
import { ExpiryNote } from './expiry-note.tsx'
import { ProcessingNote } from './processing-note.tsx'
import { StudioPublishedAt } from './published-at.tsx'
import { FailedNote, RejectionNote } from './rejection-note.tsx'
import { SelectBox } from './select-box.tsx'
import classes from './studio-card.module.css'

const factsLook = wrapped([0, 16], 'above8', 'note', 'tightLines')

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const

/** Further buttons. */
export type RenderTools = (video: Video, className: string | undefined) => ReactNode

type StudioCardProps = {
  video: Video
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  isAboveFold: boolean
  renderTools: RenderTools
  onEdit: () => void
  onDelete: () => void
  /** Preloads dialogs. */
  onNear: () => void
}

export function StudioCard(props: StudioCardProps) {
  const { video, isSelected, isAboveFold, onSelect, renderTools, onEdit, onDelete, onNear } = props
  const titleId = useId()
  const { id, title, category, likeCount, duration, processingState } = video
  return (
    <article
      className={`${column(0, 'fullHeight', 'clipped', 'framed')} ${classes.card}`}
      data-selected={isSelected || undefined}
      data-game={category}
      aria-labelledby={titleId}
    >
      <div className={classes.picture}>
        <Picture
          {...posterOf(video)}
          sizes={CARD_SIZES}
          shape={video}
          isAboveFold={isAboveFold}
          badges={<Badges video={video} />}
          corner={
            duration > 0 && processingState === 'ready' ? formatDuration(duration) : undefined
          }
        >
          {processingState === 'processing' && <ProcessingNote video={video} />}
        </Picture>
      </div>
      <div className={look('grow', 'pad12x16')}>
        <CardTitle as="h2" id={titleId} lines={2} className={classes.title}>
          {title}
        </CardTitle>
        <p className={factsLook}>
          <Fact icon={<span className={classes.dot} aria-hidden="true" />}>
            {category || 'Uncategorized'}
          </Fact>
          <Fact>
            <StudioPublishedAt time={video.publishedAt} />
          </Fact>
        </p>
        <p className={factsLook}>
          <Fact icon={<IconEye {...ICON} />}>{formatViews(video.viewCount)}</Fact>
          <Fact icon={<IconThumbUp {...ICON} />}>
            {formatCount(likeCount)} {likeCount === 1 ? 'like' : 'likes'}
          </Fact>
        </p>
        <RejectionNote video={video} />
        <FailedNote video={video} />
        <LadderLine video={video} className={look('above8')} />
        <ExpiryNote video={video} />
        <MomentsNote video={video} />
        {processingState !== 'ready' && (
          <p className={look('above8')}>
            <ProcessingActions video={video} />
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only to load ahead. */}
      <div
        className={row(0, 'between', 'ruleAbove', 'pad4x8')}
        onPointerEnter={onNear}
        onFocus={onNear}
      >
        <LinkButton
          to="/video/$id"
          params={{ id: String(id) }}
          variant="subtle"
          className={look('padX8')}
          aria-describedby={titleId}
          leftSection={<IconPlayerPlay {...ICON} size={18} />}
        >
          View
        </LinkButton>
        <span className={row(0, 'stretch')}>
          <SelectBox title={title} isSelected={isSelected} onSelect={onSelect} />
          {renderTools(video, classes.tool)}
          <IconButton
            className={classes.tool}
            aria-label="Edit"
            aria-describedby={titleId}
            onClick={onEdit}
          >
            <IconPencil {...ICON} size={20} />
          </IconButton>
          <IconButton
            className={`${classes.tool} ${classes.delete}`}
            aria-label="Delete"
            aria-describedby={titleId}
            onClick={onDelete}
          >
            <IconTrash {...ICON} size={20} />
          </IconButton>
        </span>
      </div>
    </article>
  )
}

function Badges({ video }: { video: Video }) {
  return (
    <>
      {video.isAnonymous && <Badge variant="scrim">Anonymous</Badge>}
      <StateBadge video={video} />
      <VisibilityBadge visibility={video.visibility} squad={video.squad} />
    </>
  )
}

function Fact({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.fact}>
      {icon}
      <span>{children}</span>
    </span>
  )
}

/** Same boxes as a card. */
export function StudioCardSkeleton() {
  return (
    <div
      className={`${column(0, 'fullHeight', 'clipped', 'framed')} ${classes.card}`}
      aria-hidden="true"
    >
      <div className={classes.picture}>
        <PictureSkeleton />
      </div>
      <div className={look('grow', 'pad12x16')}>
        <CardTitle as="div" lines={2} className={classes.title}>
          <TextSkeleton />
          <TextSkeleton width="60%" />
        </CardTitle>
        <div className={factsLook}>
          <TextSkeleton width="70%" />
        </div>
        <div className={factsLook}>
          <TextSkeleton width="55%" />
        </div>
      </div>
      <div className={row(0, 'between', 'ruleAbove', 'pad4x8')}>
        <Skeleton width={72} height={20} my="sm" mx="xs" radius="sm" />
      </div>
    </div>
  )
}
