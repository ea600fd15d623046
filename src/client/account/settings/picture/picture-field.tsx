import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { postForm } from '#client/platform/post-form.ts'
import { trpc } from '#client/trpc.ts'
import classes from './picture-field.module.css'

const PictureCropper = lazyPart(() => import('./picture-cropper.tsx'))

const KINDS = {
  avatar: { name: 'Avatar', output: { width: 320, height: 320 } },
  banner: { name: 'Banner', output: { width: 2000, height: 400 } },
}

type PictureFieldProps = {
  kind: keyof typeof KINDS
  url: string | null
  /** Undefined until the server's limit is loaded. */
  maxBytes: number | undefined
  hint: string
  /** The current picture. */
  children: ReactNode
}

export function PictureField({ kind, url, maxBytes, hint, children }: PictureFieldProps) {
  const { name, output } = KINDS[kind]
  const utils = trpc.useUtils()
  const [file, setFile] = useState<File>()
  const refresh = () =>
    Promise.all([
      utils.auth.currentUser.invalidate(),
      utils.user.invalidate(),
      utils.video.invalidate(),
    ])
  const save = useMutation({
    mutationFn: (picture: Blob) => sendPicture(kind, picture),
    onSuccess: async () => {
      await refresh()
      setFile(undefined)
      notify({ title: `${name} saved` })
    },
  })
  const remove = trpc.settings.removePicture.useMutation({
    onSuccess: async () => {
      await refresh()
      notify({ title: `${name} removed` })
    },
    onError: notifyFailure(`The ${kind} could not be removed`),
  })
  const close = () => {
    setFile(undefined)
    save.reset()
  }
  return (
    <div className={`${row(0, 'wrap')} ${classes.root}`} data-kind={kind}>
      {children}
      <div className={classes.words}>
        <h3 className={look('smallHeading')}>{name}</h3>
        <p className={look('note')}>
          {hint} PNG or JPG of any size: you choose the part that is shown.
        </p>
        <div className={wrapped(8, 'above12')}>
          <PickFile label={name} accept="image/png,image/jpeg" onPick={setFile}>
            {(button) => (
              <Button variant="default" {...button}>
                {url ? `Change ${kind}` : `Add ${kind}`}
              </Button>
            )}
          </PickFile>
          {url && (
            <Button
              variant="subtle"
              disabled={remove.isPending}
              onClick={() => remove.mutate({ kind })}
            >
              {remove.isPending ? 'Removing...' : `Remove ${kind}`}
            </Button>
          )}
        </div>
      </div>
      {file && (
        <PictureCropper
          file={file}
          title={`Crop your ${kind}`}
          output={output}
          isRound={kind === 'avatar'}
          maxBytes={maxBytes ?? Number.POSITIVE_INFINITY}
          isSaving={save.isPending}
          problem={save.error ? errorSentence(save.error) : undefined}
          onSave={(picture) => save.mutate(picture)}
          onClose={close}
        />
      )}
    </div>
  )
}

async function sendPicture(kind: 'avatar' | 'banner', picture: Blob): Promise<void> {
  const form = new FormData()
  form.set('picture', picture, `${kind}.jpg`)
  await postForm(`/api/settings/${kind}`, form)
}
