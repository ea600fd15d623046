import { IconDownload } from '@tabler/icons-react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { trpc } from '#client/trpc.ts'
import type { Downloads } from '#shared/schemas/download.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import classes from './download-dialog.module.css'

type DownloadDialogProps = { video: Video; onClose: () => void }

/** A sheet on phones. */
export default function DownloadDialog({ video, onClose }: DownloadDialogProps) {
  const { id, downloadCount } = video
  const isReady = video.processingState === 'ready'
  const files = trpc.video.downloads.useQuery({ id }, { staleTime: 0, enabled: isReady })
  return (
    <Dialog
      title="Download"
      classNames={{ inner: classes.inner, content: classes.content }}
      onClose={onClose}
    >
      {isReady && files.isPending && (
        <div role="status" aria-label="Loading the files">
          <FileSkeleton />
          <FileSkeleton />
        </div>
      )}
      {files.isError && !files.data && (
        <LoadError error={files.error} onRetry={() => void files.refetch()} />
      )}
      {(!isReady || files.data?.length === 0) && (
        <EmptyState compact role="status" drawing={<FilmDrawing />} title="Nothing to download">
          {isReady
            ? 'There are no files of this video that you can download.'
            : 'Its files are here once the video is ready.'}
        </EmptyState>
      )}
      {files.data && files.data.length > 0 && (
        <ul>
          {files.data.map((file) => (
            <li key={file.quality}>
              <FileLink file={file} />
            </li>
          ))}
        </ul>
      )}
      {downloadCount !== null && downloadCount > 0 && (
        <p className={`${classes.count} ${look('above12', 'size13')}`}>
          Downloaded {downloadCount === 1 ? 'once' : `${downloadCount} times`} so far.
        </p>
      )}
    </Dialog>
  )
}

type File = Downloads[number]

const NAMES = { original: 'Original', best: 'Best quality' }
const HINTS = { original: 'As it was uploaded', best: 'As it plays here' }

/** 'Original · 1440p', 'Best quality · 1080p', '720p'. */
function nameOf({ quality, shortSide }: File): string {
  if (typeof quality === 'number') return `${quality}p`
  return shortSide === null ? NAMES[quality] : `${NAMES[quality]} · ${shortSide}p`
}

function FileLink({ file }: { file: File }) {
  const { quality, url, fileName, bytes } = file
  return (
    <a className={classes.file} href={url} download={fileName}>
      <IconDownload size={20} stroke={1.75} aria-hidden />
      <span>
        <span className={look('block', 'strong')}>{nameOf(file)}</span>{' '}
        {typeof quality === 'string' && (
          <span className={`${classes.hint} ${look('size13')}`}>{HINTS[quality]}</span>
        )}
      </span>{' '}
      {bytes !== null && (
        <span className={`${classes.size} ${look('size13')}`}>{formatBytes(bytes)}</span>
      )}
    </a>
  )
}

function FileSkeleton() {
  return (
    <div className={classes.file}>
      <span />
      <TextSkeleton width="160px" />
      <TextSkeleton width="48px" />
    </div>
  )
}
