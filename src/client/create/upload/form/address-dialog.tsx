import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { DialogFoot } from '#client/kit/dialog/dialog-foot.tsx'
import { FormButtons } from '#client/kit/dialog/form-buttons.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { column, look } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { fetchAskedChunk } from '#client/platform/missing-chunk.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import { fileNameOfAddress } from '#shared/text/file-name.ts'
import { requestTray } from '../queue/tray/tray-request.ts'
import { recogniseName } from '../recording/recognise-file.ts'
import { VideoFields } from './video-fields.tsx'

const NO_ADDRESS = 'Enter an address that begins with https://.'

const urlOf = (text: string) => {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** The server checks the address before it answers. */
export default function AddressDialog({ onClose }: { onClose: () => void }) {
  const site = useSite()
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState<string>()
  const [suggested, setSuggested] = useState('')
  const form = useCheckedForm({
    initialValues: {
      ...{ title: '', description: '', category: DEFAULT_CATEGORY as string, tags: [] as string[] },
      ...{ isAnonymous: site?.anonymousByDefault ?? false, visibility: null },
      ...{ squadId: null, participants: [] },
    },
    validate: { title: titleRule, description: descriptionRule, tags: tagsRule },
  })
  const start = trpc.fetch.start.useMutation({
    onSuccess: () => {
      requestTray()
      void fetchAskedChunk(() => import('../queue/take-files.ts')).then(({ takeFetches }) =>
        takeFetches(),
      )
      onClose()
    },
    onError: (error) => setProblem(serverSentence(error)),
  })
  const isDirty = address !== '' || form.isDirty()
  const { close, question } = useDiscardQuestion(isDirty, onClose)
  const url = urlOf(address)
  const fileName = url && fileNameOfAddress(url.href)
  const suggestTitle = () => {
    if (!fileName || form.values.title !== suggested) return
    const title = titleOfFile(fileName)
    setSuggested(title)
    form.setFieldValue('title', title)
  }
  const submit = form.onSubmit((metadata) => {
    if (!url) return setProblem(NO_ADDRESS)
    start.mutate({ url: url.href, metadata: { ...metadata, participants: [] } })
  })
  return (
    <Dialog title="Upload from an address" size={560} onClose={close} closeOnClickOutside={false}>
      <form className={column(16)} onSubmit={submit} noValidate>
        <TextInput
          label="Address"
          description="Of the video file itself, not of a page that shows it."
          placeholder="https://"
          type="url"
          inputMode="url"
          autoComplete="off"
          withAsterisk
          data-autofocus
          value={address}
          error={problem}
          onChange={(event) => {
            setAddress(event.currentTarget.value)
            setProblem(undefined)
          }}
          onBlur={suggestTitle}
        />
        <VideoFields
          form={form}
          recognised={fileName ? recogniseName({ name: fileName }, site?.categories) : undefined}
        />
        <p className={look('note')}>
          The site fetches the file. You can close this page meanwhile.
        </p>
        {question}
        <DialogFoot>
          <FormButtons
            submitLabel="Upload"
            pendingLabel="Checking the address"
            isPending={start.isPending}
            onCancel={close}
          />
        </DialogFoot>
      </form>
    </Dialog>
  )
}
