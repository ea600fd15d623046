import { Button } from '@mantine/core'
import { IconCut, IconReplace } from '@tabler/icons-react'
import { requestTray } from '#client/create/upload/queue/tray/tray-request.ts'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { look, wrapped } from '#client/kit/layout/layout.ts'
import { fetchAskedChunk } from '#client/platform/missing-chunk.tsx'
import { notify } from '#client/platform/notify.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** The tray shows progress. */
export function ReplaceField({ video }: { video: Video }) {
  const take = async (file: File) => {
    requestTray()
    const { takeRecording } = await fetchAskedChunk(
      () => import('#client/create/upload/queue/take-files.ts'),
    )
    takeRecording(file, video)
    notify({
      title: 'Uploading the new recording',
      message: 'The old one stays until the new one is ready.',
    })
  }
  return (
    <section aria-labelledby="recording" className={look('nextSection')}>
      <h3 id="recording" className={look('below4', 'label')}>
        Recording
      </h3>
      <p className={look('below8', 'note')}>
        A new recording keeps the address, comments, views and links. The thumbnail and captions are
        replaced with it.
      </p>
      <div className={wrapped(8)}>
        {video.processingState === 'ready' && (
          <LinkButton
            to="/studio/cut/$id"
            params={{ id: String(video.id) }}
            variant="default"
            leftSection={<IconCut size={18} stroke={1.75} aria-hidden />}
          >
            Cut
          </LinkButton>
        )}
        <PickFile label="New recording" accept="video/*" onPick={(file) => void take(file)}>
          {(button) => (
            <Button
              variant="default"
              leftSection={<IconReplace size={18} stroke={1.75} aria-hidden />}
              {...button}
            >
              Replace recording
            </Button>
          )}
        </PickFile>
      </div>
    </section>
  )
}
