import { IconBookmark, IconChartBar, IconDownload, IconFlag, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { useSite } from '../../platform/use-site.ts'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'
import { useWatchTogether } from '../../watch/watch-room/use-watch-together.ts'

const AdminItems = lazyPart(() => import('../../kit/admin/admin-items.tsx'))
const DownloadDialog = lazyPart(() => import('../../watch/download/download-dialog.tsx'))
const PlaylistPicker = lazyPart(() => import('../../browse/video/save/playlist-picker.tsx'))
const ReportDialog = lazyPart(() => import('../../watch/report/report-dialog.tsx'))

type VideoActionsProps = {
  video: Video
  /** Adds Save to the menu where there is no room for its own button. */
  hasSave: boolean
}

/** Download for members, management for the owner, reports for others. */
export function VideoActions({ video, hasSave }: VideoActionsProps) {
  const signIn = useSignInLink()
  const { id, title } = video
  const viewer = useSession()
  const navigate = useNavigate()
  const site = useSite()
  const [opened, setOpened] = useState<'download' | 'report' | 'save'>()
  const isOwn = viewer !== null && viewer.id === video.userId
  const mayDownload =
    isOwn || viewer?.isAdmin || (site?.allowsDownloads === true && video.allowsDownload)
  const download = {
    ...{ label: 'Download', Icon: IconDownload },
    onPress: () => setOpened('download'),
  }
  const save = viewer
    ? { label: 'Save', Icon: IconBookmark, onPress: () => setOpened('save') }
    : { label: 'Sign in to save', Icon: IconBookmark, onPress: () => void navigate(signIn) }
  const close = () => setOpened(undefined)
  const analytics = { tab: 'analytics' as const, video: String(id) }
  const report = viewer
    ? { label: 'Report', Icon: IconFlag, onPress: () => setOpened('report') }
    : { label: 'Sign in to report', Icon: IconFlag, onPress: () => void navigate(signIn) }
  const together = useWatchTogether(
    { videoId: id },
    { isSignedIn: viewer !== null, time: () => openPlayer.current?.time() ?? 0 },
  )
  const own = [
    {
      ...{ label: 'Edit in the studio', Icon: IconPencil },
      onPress: () => void navigate({ to: '/studio', search: { q: title } }),
    },
    {
      ...{ label: 'Analytics', Icon: IconChartBar },
      onPress: () => void navigate({ to: '/studio', search: analytics }),
    },
  ]
  return (
    <>
      <RowMenu
        label="More actions"
        items={[
          ...(hasSave ? [save] : []),
          together,
          ...(mayDownload ? [download] : []),
          ...(isOwn ? own : [report]),
        ]}
        renderMore={(onChoose) =>
          viewer?.isAdmin && (
            <AdminItems subject={{ video }} viewerId={viewer.id} onChoose={onChoose} />
          )
        }
      />
      {opened === 'save' && <PlaylistPicker video={video} onClose={close} />}
      {opened === 'download' && <DownloadDialog video={video} onClose={close} />}
      {opened === 'report' && (
        <ReportDialog target={{ videoId: id }} noun="video" onClose={close} />
      )}
    </>
  )
}
