import { Button } from '@mantine/core'
import { IconArrowBackUp, IconSend, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { look, row } from '#client/kit/layout/layout.ts'
import { MediaRow, mediaTitle } from '#client/kit/list/media-row.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import type { InboxItem } from '#shared/schemas/inbox.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { SelectBox } from '../studio/list/select-box.tsx'
import classes from './inbox.module.css'

type InboxRowProps = {
  item: InboxItem
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  onPublish: () => void
  onDismiss: () => void
  onRestore: () => void
  onNear: () => void
}

export function InboxRow(props: InboxRowProps) {
  const { item, isSelected, onSelect } = props
  const { title, pictureUrl, duration, path, state, isMissing } = item
  const canChoose = state === 'new' && !isMissing
  return (
    <li ref={passFocusOnRemoval}>
      <MediaRow
        className={classes.row}
        start={canChoose && <SelectBox title={title} isSelected={isSelected} onSelect={onSelect} />}
        pictureUrl={pictureUrl}
        seconds={duration}
        title={
          <span className={mediaTitle} title={path}>
            {title}
          </span>
        }
        facts={<Facts item={item} />}
        notes={<Notes item={item} />}
        end={<Acts {...props} canPublish={canChoose} />}
      />
    </li>
  )
}

function Facts({ item }: { item: InboxItem }) {
  const { state, game, category, recordedAt, fileSize } = item
  return (
    <>
      {state !== 'unusable' && `${game ?? category} · `}
      <TimeAgo time={recordedAt} /> · {formatBytes(fileSize)}
    </>
  )
}

function Notes({ item }: { item: InboxItem }) {
  const { state, percent, problem, isMissing, duplicateOf } = item
  return (
    <span className={classes.notes}>
      {duplicateOf && (
        <span className={look('block', 'muted')}>
          Duplicate of{' '}
          {duplicateOf.videoId === null ? (
            duplicateOf.title
          ) : (
            <Link to="/video/$id" params={{ id: String(duplicateOf.videoId) }}>
              {duplicateOf.title}
            </Link>
          )}
        </span>
      )}
      {isMissing && (
        <span className={look('block', 'muted')}>The file is missing from its folder.</span>
      )}
      {problem && <span className={look('block', 'errorColor', 'breakWords')}>{problem}</span>}
      {state === 'queued' && !isMissing && (
        <>
          <span className={look('block', 'muted')}>
            {percent > 0 ? `Publishing, ${percent}%` : 'Waiting to be published'}
          </span>
          {percent > 0 && <WorkBar label={`Publishing ${item.title}`} percent={percent} />}
        </>
      )}
    </span>
  )
}

function Acts(props: InboxRowProps & { canPublish: boolean }) {
  const { item, canPublish, onPublish, onDismiss, onRestore, onNear } = props
  const { title, state } = item
  if (state === 'unusable' || (state === 'queued' && item.percent > 0)) return null
  if (state === 'queued') {
    return (
      <RowMenu
        label={`Actions for ${title}`}
        variant="subtle"
        items={[{ label: 'Do not publish', Icon: IconX, onPress: onRestore }]}
      />
    )
  }
  if (state === 'dismissed') {
    return (
      <Button
        variant="default"
        size="sm"
        leftSection={<IconArrowBackUp size={18} stroke={1.75} aria-hidden />}
        aria-label={`Restore ${title}`}
        onClick={onRestore}
      >
        Restore
      </Button>
    )
  }
  const publish = { label: 'Publish', Icon: IconSend, onPress: onPublish }
  return (
    <span className={row(8, 'noShrink')}>
      {canPublish && (
        <Button
          variant="default"
          size="sm"
          className={classes.publish}
          aria-label={`Publish ${title}`}
          onPointerEnter={onNear}
          onFocus={onNear}
          onClick={onPublish}
        >
          Publish
        </Button>
      )}
      <RowMenu
        label={`Actions for ${title}`}
        variant="subtle"
        items={[
          ...(canPublish ? [publish] : []),
          { label: 'Dismiss', Icon: IconX, onPress: onDismiss },
        ]}
      />
    </span>
  )
}
