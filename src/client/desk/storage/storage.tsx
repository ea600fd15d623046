import { Button } from '@mantine/core'
import { useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { panel } from '#client/kit/panel/panel.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import type { StoredVideo } from '#shared/schemas/desk/storage.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { DeskTable } from '../desk-table.tsx'
import { VideoSubject } from '../moderation/subject.tsx'
import { SiteCheckPanel } from '../site/site-check-panel.tsx'
import { oneOf, useAddress } from '../use-address.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { FreeOriginals } from './free-originals.tsx'
import { sizeText } from './size-text.ts'
import { StorageBar } from './storage-bar.tsx'

const SHOWN = ['all', 'freeable'] as const

const NOTHING_STORED = {
  ...{ originals: 0, videos: 0, renditions: 0, pictures: 0, uploads: 0, database: 0 },
  ...{ disk: 0, free: 0, elsewhere: null },
}

export function Storage() {
  const overview = trpc.overview.get.useQuery()
  return (
    <>
      {!overview.isError && (
        <section className={panel} aria-label="Storage by kind">
          <div
            className={`${stack(12)} ${classes.boxes}`}
            data-unknown={!overview.data || undefined}
          >
            <StorageBar storage={overview.data?.storage ?? NOTHING_STORED} />
          </div>
        </section>
      )}
      <FreeOriginals />
      <SiteCheckPanel />
      <StoredVideos />
    </>
  )
}

function StoredVideos() {
  const { search, change } = useAddress()
  const show = oneOf(SHOWN, search.show)
  const input = { freeable: show === 'freeable', q: search.q }
  const videos = trpc.storage.videos.useInfiniteQuery(input, nextPage)
  const [chosen, setChosen] = useState<StoredVideo>()
  const action = useDeskAction('storage', 'overview')
  const free = trpc.storage.freeOriginal.useMutation(
    action({ done: ({ bytes }: { bytes: number }) => `${formatBytes(bytes)} freed` }),
  )
  return (
    <section aria-labelledby="largest">
      <h2 id="largest" className={look('heading')}>
        Largest videos
      </h2>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`} data-under-title>
        <AddressFilterBox label="Filter by title or name" />
        <InlineSelect
          label="Show"
          options={[
            { value: 'all', label: 'All videos' },
            { value: 'freeable', label: 'With an original that can be removed' },
          ]}
          value={show}
          onChange={(value) => change({ show: value })}
        />
      </div>
      <DeskTable
        query={videos}
        empty={{ drawing: <FilmDrawing />, title: 'No videos here' }}
        columns={[
          {
            title: 'Video',
            cell: (video) => <VideoSubject video={video}>@{video.ownerName}</VideoSubject>,
          },
          {
            title: 'All files',
            isNumber: true,
            cell: ({ storageBytes }) => sizeText(storageBytes),
          },
          {
            title: 'Original',
            isNumber: true,
            cell: ({ originalBytes }) => (originalBytes > 0 ? formatBytes(originalBytes) : '–'),
          },
        ]}
        actions={(video) =>
          video.canFree && (
            <Button
              size="sm"
              variant="subtle"
              color="pulse"
              aria-label={`Remove the original of ${video.title}`}
              onClick={() => setChosen(video)}
            >
              Remove original
            </Button>
          )
        }
      />
      {chosen && (
        <AskDialog
          title={`Remove the original of "${chosen.title}"?`}
          confirmLabel="Remove"
          pendingLabel="Removing..."
          isDanger
          onConfirm={() => free.mutateAsync({ id: chosen.id })}
          onClose={() => setChosen(undefined)}
        >
          {formatBytes(chosen.originalBytes)} become free. The video goes on playing in every
          quality, but can never be prepared again from the file as it was uploaded.
        </AskDialog>
      )}
    </section>
  )
}
