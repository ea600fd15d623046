import { IconChartBar, IconFlag, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { RowMenu } from '../../kit/control/row-menu.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'

const AdminItems = lazyPart(() => import('../../kit/admin/admin-items.tsx'))
const ReportDialog = lazyPart(() => import('../../watch/report/report-dialog.tsx'))

/** What the owner does with the video elsewhere; everybody else may report it. */
export function VideoActions({ video }: { video: Video }) {
  const { id, title } = video
  const viewer = useSession()
  const navigate = useNavigate()
  const [isReporting, setReporting] = useState(false)
  const analytics = { tab: 'analytics' as const, video: String(id) }
  const report = viewer
    ? { label: 'Report', Icon: IconFlag, onPress: () => setReporting(true) }
    : { label: 'Log in to report', Icon: IconFlag, onPress: () => void navigate({ to: '/auth' }) }
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
        items={viewer !== null && viewer.id === video.userId ? own : [report]}
        renderMore={(onChoose) =>
          viewer?.isAdmin && (
            <AdminItems subject={{ video }} viewerId={viewer.id} onChoose={onChoose} />
          )
        }
      />
      {isReporting && (
        <ReportDialog target={{ videoId: id }} noun="video" onClose={() => setReporting(false)} />
      )}
    </>
  )
}
