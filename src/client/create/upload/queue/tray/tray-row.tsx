import '#client/kit/styles/mantine-pages.css'
import { Button, Menu, UnstyledButton } from '@mantine/core'
import { IconDots, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useSyncExternalStore } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { CopyLinkButton } from '../../copy-link-button.tsx'
import { suggestionOf } from '../../form/suggestion.ts'
import { VIDEO_ACCEPT } from '../../form/video-file.ts'
import { percentOf, type UploadProgress } from '../../transfer/upload-progress.ts'
import { isEditable, isOver, type QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'
import { FilePicture } from './file-picture.tsx'
import { stateText } from './row-texts.ts'
import classes from './tray-row.module.css'

type TrayRowProps = {
  item: QueueItem
  handle: ReactNode
  onEdit: (id: number) => void
  onCancel: (id: number) => void
}

const FAILED_STATES: readonly QueueItem['state'][] = ['failed', 'refused', 'gone']

export function TrayRow({ item, handle, onEdit, onCancel }: TrayRowProps) {
  const progress = useProgress(item)
  const { title } = item.details
  return (
    <div className={`${row(8)} ${classes.row}`} data-state={item.state}>
      <span className={classes.handle}>{handle}</span>
      <FilePicture file={item.file} />
      <div className={classes.words}>
        <p className={look('oneLine', 'strong', 'size13')} title={item.name}>
          {title}
        </p>
        <p
          className={`${classes.state} ${look('fine', 'breakWords')}`}
          data-troubled={FAILED_STATES.includes(item.state) || undefined}
        >
          {stateText(item, progress)}
        </p>
        <SaveTrouble item={item} />
        <RowBar item={item} progress={progress} />
        <EarlyLink item={item} progress={progress} />
        <Suggestion item={item} />
      </div>
      <div className={row(0, 'noShrink')}>
        <FirstAction item={item} progress={progress} />
        <RowMenu item={item} onEdit={onEdit} onCancel={onCancel} />
      </div>
    </div>
  )
}

/** When details are not saved. */
function SaveTrouble({ item }: { item: QueueItem }) {
  const { isUnsaved, refusal } = item
  return (
    <>
      {item.isThumbnailLost && isEditable(item) && (
        <p className={`${classes.state} ${look('fine', 'breakWords')}`}>
          The thumbnail was lost when the page reloaded. Choose it again in the details
        </p>
      )}
      {isUnsaved && (
        <p className={`${classes.state} ${look('fine', 'breakWords')}`} role="status">
          Details not saved yet. Trying again
        </p>
      )}
      {refusal && (
        <p className={`${classes.state} ${look('fine', 'breakWords')}`} data-troubled role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

const nothing = () => () => {}
const none = () => undefined

function useProgress({ engine }: QueueItem): UploadProgress | undefined {
  return useSyncExternalStore(
    engine?.subscribe ?? nothing,
    engine ? engine.progress : (none as () => UploadProgress | undefined),
  )
}

function RowBar({ item, progress }: { item: QueueItem; progress: UploadProgress | undefined }) {
  const { title } = item.details
  const { state } = item
  if (state === 'preparing') {
    return <WorkBar label={`Preparing ${title}`} percent={item.percentPrepared} />
  }
  if (state === 'unfinished') {
    return <WorkBar label={`Uploaded of ${title}`} percent={item.percentStored} />
  }
  if (state === 'fetching') {
    return <WorkBar label={`Fetching ${title}`} percent={item.percentStored} />
  }
  if (!progress || (state !== 'running' && state !== 'paused' && state !== 'waiting')) return null
  return <WorkBar label={`Uploading ${title}`} percent={percentOf(progress)} />
}

/** From the file's name. */
function Suggestion({ item }: { item: QueueItem }) {
  const suggestion = suggestionOf(item.recognised, item.details)
  if (!suggestion || isOver(item) || item.state === 'same') return null
  return (
    <UnstyledButton
      className={`${look('oneLine', 'hoverable')} ${classes.suggestion}`}
      onClick={() => uploadQueue.changeDetails([item.id], () => suggestion)}
    >
      Use “{suggestion.title}”
    </UnstyledButton>
  )
}

/** While it uploads; afterwards the video can be opened. */
function EarlyLink({ item, progress }: ActionProps) {
  const videoId = progress?.linkedVideoId
  if (videoId === undefined || isOver(item) || item.state === 'failed') return null
  return (
    <CopyLinkButton
      {...{ videoId, title: item.details.title }}
      size="compact-sm"
      variant="subtle"
      className={classes.link}
    />
  )
}

type ActionProps = { item: QueueItem; progress: UploadProgress | undefined }

/** Most likely action. */
function FirstAction({ item, progress }: ActionProps) {
  const { id, state, videoId } = item
  const { title } = item.details
  if (state === 'unfinished') return <ChooseAgain item={item} />
  if (state === 'waiting' || (state === 'running' && progress?.state !== 'processing')) {
    return (
      <IconButton aria-label={`Pause ${title}`} hint="Pause" onClick={() => uploadQueue.pause(id)}>
        <IconPlayerPause size={20} aria-hidden />
      </IconButton>
    )
  }
  if (state === 'paused' || state === 'failed') {
    const [verb, Icon] =
      state === 'paused' ? (['Resume', IconPlayerPlay] as const) : (['Retry', IconRefresh] as const)
    return (
      <IconButton
        aria-label={`${verb} ${title}`}
        hint={verb}
        onClick={() => uploadQueue.resume(id)}
      >
        <Icon size={20} aria-hidden />
      </IconButton>
    )
  }
  if (state === 'ready' && videoId !== undefined) {
    return (
      <Link
        to="/video/$id"
        params={{ id: String(videoId) }}
        className={look('centred', 'touch', 'padX8', 'strong', 'textColor', 'size13')}
        aria-label={`Watch ${title}`}
      >
        Watch
      </Link>
    )
  }
  if (state === 'refused' || state === 'gone' || state === 'same') {
    return (
      <IconButton
        aria-label={`Remove ${title}`}
        hint="Remove"
        onClick={() => uploadQueue.cancel(id)}
      >
        <IconX size={20} aria-hidden />
      </IconButton>
    )
  }
  return null
}

/** For an upload that lost its file. */
function ChooseAgain({ item }: { item: QueueItem }) {
  return (
    <PickFile
      label={`File of ${item.details.title}`}
      accept={VIDEO_ACCEPT}
      onPick={(file) => uploadQueue.rejoin(item.id, file)}
    >
      {(button) => (
        <Button size="sm" variant="default" aria-label={`Choose ${item.name} again`} {...button}>
          Choose
        </Button>
      )}
    </PickFile>
  )
}

function RowMenu({ item, onEdit, onCancel }: Omit<TrayRowProps, 'handle'>) {
  const { id, state, same } = item
  const isRemovable = isOver(item) || state === 'same' || state === 'preparing'
  const label = `Actions for ${item.details.title}`
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton aria-label={label} hint="More">
          <IconDots size={20} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {isEditable(item) && <Menu.Item onClick={() => onEdit(id)}>Edit details</Menu.Item>}
        {same && (
          <>
            <Menu.Item onClick={() => uploadQueue.uploadAnyway(id)}>Upload anyway</Menu.Item>
            <Menu.Item component="a" href={`/video/${same.videoId}`} target="_blank">
              Watch the other one
            </Menu.Item>
          </>
        )}
        {isRemovable ? (
          <Menu.Item onClick={() => uploadQueue.cancel(id)}>Remove from the list</Menu.Item>
        ) : (
          <Menu.Item color="pulse" onClick={() => onCancel(id)}>
            Cancel upload
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
