import { posterOf } from '#shared/poster.ts'
import '#client/kit/styles/mantine-pages.css'
import { Table } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { FramedTable } from '#client/kit/list/framed-table.tsx'
import { Picture } from '#client/kit/video/picture.tsx'
import { ProcessingActions } from '#client/kit/video/processing-actions.tsx'
import { LadderLine, ProcessingLine } from '#client/kit/video/work-line.tsx'
import { VisibilityMark } from '#client/kit/visibility/visibility-mark.tsx'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { VIDEO_STATE_WORDS, videoStateOf } from '#shared/video-state.ts'
import { MomentsNote } from '../../moments/moments-note.tsx'
import { ExpiryNote } from './expiry-note.tsx'
import { StudioPublishedAt } from './published-at.tsx'
import { RejectionNote } from './rejection-note.tsx'
import { SelectBox } from './select-box.tsx'
import type { RenderTools } from './studio-card.tsx'
import classes from './studio-table.module.css'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

type StudioTableProps = {
  videos: Video[]
  selected: ReadonlySet<number>
  onSelect: (video: Video, isSelected: boolean) => void
  renderTools: RenderTools
  onEdit: (video: Video) => void
  onDelete: (video: Video) => void
  onNear: () => void
}

export function StudioTable({ videos, selected, ...act }: StudioTableProps) {
  return (
    <FramedTable horizontalSpacing="xs" highlightOnHover className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">
            <span className="visually-hidden">Selection</span>
          </Table.Th>
          <Table.Th scope="col">Video</Table.Th>
          <Table.Th scope="col">Status</Table.Th>
          <Table.Th scope="col">Category</Table.Th>
          <Table.Th scope="col">Published</Table.Th>
          <Table.Th scope="col" data-number>
            Views
          </Table.Th>
          <Table.Th scope="col" data-number>
            Likes
          </Table.Th>
          <Table.Th scope="col">
            <span className="visually-hidden">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody onPointerEnter={act.onNear} onFocus={act.onNear}>
        {videos.map((video) => (
          <Table.Tr
            key={video.id}
            ref={passFocusOnRemoval}
            data-selected={selected.has(video.id) || undefined}
          >
            <Table.Td>
              <SelectBox
                title={video.title}
                isSelected={selected.has(video.id)}
                onSelect={(isSelected) => act.onSelect(video, isSelected)}
              />
            </Table.Td>
            <Table.Td>
              <VideoCell video={video} />
            </Table.Td>
            <Table.Td>
              <Status video={video} />
              <ExpiryNote video={video} />
              <MomentsNote video={video} />
            </Table.Td>
            <Table.Td>
              <span className={classes.game} data-game={video.category}>
                {video.category}
              </span>
            </Table.Td>
            <Table.Td>
              <StudioPublishedAt time={video.publishedAt} />
            </Table.Td>
            <Table.Td data-number>{formatCount(video.viewCount)}</Table.Td>
            <Table.Td data-number>{formatCount(video.likeCount)}</Table.Td>
            <Table.Td>
              <Tools video={video} {...act} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </FramedTable>
  )
}

function VideoCell({ video }: { video: Video }) {
  const { id, title, duration } = video
  return (
    <div className={classes.video}>
      <Picture
        {...posterOf(video)}
        sizes="120px"
        corner={duration > 0 ? formatDuration(duration) : undefined}
      />
      <Link
        to="/video/$id"
        params={{ id: String(id) }}
        className={look('twoLines', 'strong', 'smallHeading', 'textColor', 'tightLines')}
      >
        {title}
      </Link>
    </div>
  )
}

function Status({ video }: { video: Video }) {
  const { processingState, processingError } = video
  const state = videoStateOf(video)
  if (processingState === 'processing') {
    return (
      <>
        <RejectionNote video={video} />
        <ProcessingLine video={video} />
        <ProcessingActions video={video} />
      </>
    )
  }
  if (processingState === 'failed') {
    return (
      <>
        <RejectionNote video={video} />
        {state === 'failed' && VIDEO_STATE_WORDS.failed}
        <p className={classes.wrong}>{processingError ?? 'The reason is unknown.'}</p>
        <ProcessingActions video={video} />
      </>
    )
  }
  return (
    <>
      {state === 'rejected' || state === 'hidden' ? (
        <RejectionNote video={video} />
      ) : (
        VIDEO_STATE_WORDS[state]
      )}
      {video.isAnonymous && <span className={look('block', 'muted')}>Anonymous</span>}
      {video.visibility !== 'public' && (
        <div className={look('block', 'muted')}>
          <VisibilityMark visibility={video.visibility} squad={video.squad} />
        </div>
      )}
      <LadderLine video={video} />
    </>
  )
}

type ToolsProps = Pick<StudioTableProps, 'renderTools' | 'onEdit' | 'onDelete'> & { video: Video }

function Tools({ video, renderTools, onEdit, onDelete }: ToolsProps) {
  return (
    <span className={`${classes.tools} ${row(0, 'stretch')}`}>
      {renderTools(video, classes.tool)}
      <IconButton
        className={classes.tool}
        aria-label={`Edit ${video.title}`}
        hint="Edit"
        onClick={() => onEdit(video)}
      >
        <IconPencil {...ICON} />
      </IconButton>
      <IconButton
        className={classes.tool}
        aria-label={`Delete ${video.title}`}
        hint="Delete"
        onClick={() => onDelete(video)}
      >
        <IconTrash {...ICON} />
      </IconButton>
    </span>
  )
}
