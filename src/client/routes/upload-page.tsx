import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { useSession } from '../account/auth/use-session.ts'
import { ApprovalNote } from '../create/upload/form/approval-note.tsx'
import { SeveralFiles } from '../create/upload/form/several-files.tsx'
import { UploadForm } from '../create/upload/form/upload-form.tsx'
import { requestTray } from '../create/upload/queue/tray/tray-request.ts'
import { Disclosure } from '../kit/control/disclosure.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { notify } from '../platform/notify.tsx'
import { whenIdle } from '../platform/when-idle.ts'
import { trpc } from '../trpc.ts'
import classes from './upload-page.module.css'

const UploaderCommand = lazyPart(() => import('../kit/uploader-command.tsx'))

export function UploadPage() {
  const session = useSession()
  // A lost session must not discard input.
  const [member, setMember] = useState(session)
  if (session && session !== member) setMember(session)
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const settings = trpc.site.settings.useQuery()
  const openVideo = useCallback(
    (videoId: number) => void navigate({ to: '/video/$id', params: { id: String(videoId) } }),
    [navigate],
  )
  useFailedShare()
  // The tray lists unfinished uploads.
  useEffect(() => void whenIdle().then(requestTray), [])
  return (
    <div className={look('page')}>
      <PageTitle title="Upload Video" />
      <header className={look('below24')}>
        <h1 className={look('pageHeading')}>Upload Video</h1>
        <p className={look('muted')}>Share your gaming content with the community</p>
      </header>
      <div className={look('below16', 'hiddenWhenEmpty')}>
        <ApprovalNote />
      </div>
      {settings.isPending && (
        <div className={classes.waiting}>
          <Spinner />
        </div>
      )}
      {settings.isError && !settings.data && (
        <LoadError error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {member && settings.data && (
        <UploadForm
          key={member.id}
          userId={member.id}
          maxVideoBytes={settings.data.maxVideoBytes}
          maxThumbnailBytes={settings.data.maxThumbnailBytes}
          onUploaded={() => void utils.video.invalidate()}
          onOpenVideo={openVideo}
        />
      )}
      {member && settings.data && <SeveralFiles />}
      {member && settings.data && (
        <Disclosure label="Upload new recordings automatically" isLazy>
          <UploaderCommand />
        </Disclosure>
      )}
    </div>
  )
}

/** Reports once that the files of the share sheet were lost. */
function useFailedShare(): void {
  const navigate = useNavigate()
  const { share } = useSearch({ strict: false })
  useEffect(() => {
    if (share !== 'failed') return
    const message = 'This device could not keep the file. Choose it here instead.'
    notify({ tone: 'error', title: 'Not shared', message })
    void navigate({ to: '/upload', replace: true })
  }, [share, navigate])
}
