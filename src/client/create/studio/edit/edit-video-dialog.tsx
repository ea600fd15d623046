import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { SectionTabs } from '#client/kit/control/section-tabs.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { FormButtons } from '#client/kit/dialog/form-buttons.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { column, look, row, stack } from '#client/kit/layout/layout.ts'
import { NamedMembers, useNamedMembers } from '#client/kit/visibility/named-members.tsx'
import { errorMessage, fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { PHONE_SCREEN } from '#client/platform/phone-screen.ts'
import { trpc, trpcClient } from '#client/trpc.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { CaptionsField } from '../captions/captions-field.tsx'
import classes from './edit-video-dialog.module.css'
import { AdvancedSwitches, DetailsFields, LevelField, WatchSwitches } from './edit-video-fields.tsx'
import {
  EDIT_VIDEO_LABELS,
  type EditedVideo,
  type EditVideoValues,
  readEditedVideo,
  toEditedVideo,
  toEditVideoValues,
} from './edit-video-values.ts'
import { ExpiryField, toExpiry } from './expiry-field.tsx'
import { ParticipantsField } from './participants-field.tsx'
import { PosterField } from './poster-field.tsx'
import { ReplaceField } from './replace-field.tsx'
import { SoundTracksField } from './sound-tracks-field.tsx'

type Part = 'details' | 'watch' | 'advanced'

const PART_OF_FIELD: Record<string, Part> = { expiry: 'watch' }
const partOf = (field: string) => PART_OF_FIELD[field] ?? 'details'

type EditVideoDialogProps = { video: Video; onClose: () => void }

/** Keeps input after a refusal. */
export default function EditVideoDialog({ video, onClose }: EditVideoDialogProps) {
  const isSmall = useMediaQuery(PHONE_SCREEN, false, { getInitialValueInEffect: false })
  const joined = trpc.squad.mine.useQuery().data?.joined ?? []
  const showSquad = (id: number | null) => {
    if (id === null) return 'None'
    return [...joined, video.squad].find((squad) => squad?.id === id)?.name ?? 'Another squad'
  }
  const [part, setPart] = useState<Part>('details')
  const form = useEditForm<EditedVideo, EditVideoValues>({
    saved: readEditedVideo(video),
    labels: { ...EDIT_VIDEO_LABELS, squadId: { label: 'Squad', show: showSquad } },
    toValues: toEditVideoValues,
    toFields: toEditedVideo,
    validate: {
      title: (title) => (title.trim() ? titleRule(title) : 'Title is required'),
      description: descriptionRule,
      tags: tagsRule,
      expiry: (ending) =>
        toExpiry(ending, video.expiry) === undefined && 'Choose a day in the future.',
    },
    // A hidden field could not get the focus.
    onInvalid: (field) => flushSync(() => setPart(partOf(field))),
  })
  const hasError = (one: Part) => Object.keys(form.errors).some((field) => partOf(field) === one)
  const isPrivate = form.values.visibility === 'private' && form.values.squadId === null
  const found = trpc.video.namedMembers.useQuery({ id: video.id }, { enabled: isPrivate })
  const named = useNamedMembers(found.data)
  const edit = useEditVideo({ named, onRefused: form.noteConflicts, onSaved: onClose })
  const isChanged = form.isChanged || named.isChanged
  const save = () => edit.mutate({ id: video.id, ...form.edit() })
  const { close, question } = useDiscardQuestion(isChanged, onClose)
  return (
    <Dialog
      onClose={close}
      title="Edit Video"
      size={860}
      fullScreen={isSmall ?? false}
      closeOnClickOutside={false}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <p className={look('below16', 'muted')}>Make changes to your video details below</p>
      <form noValidate className={classes.form} onSubmit={form.onSubmit(save)}>
        <SectionTabs
          label="Parts of this dialog"
          current={part}
          onChange={setPart}
          classNames={{ root: classes.parts, panel: classes.part }}
          tabs={[
            {
              id: 'details',
              label: 'Details',
              hasError: hasError('details'),
              content: (
                <div className={`${stack(24)} ${classes.columns}`}>
                  <div className={column(16, 'shrink')}>
                    <DetailsFields form={form} />
                    <ParticipantsField video={video} />
                  </div>
                  <PosterField video={video} />
                </div>
              ),
            },
            {
              id: 'watch',
              label: 'Who can watch',
              hasError: hasError('watch'),
              content: (
                <div className={column(16)}>
                  <LevelField form={form} squad={video.squad} />
                  {isPrivate && found.data && <NamedMembers named={named} ownId={video.userId} />}
                  <WatchSwitches form={form} />
                  <ExpiryField
                    ending={form.values.expiry}
                    error={form.errors.expiry}
                    onChange={(ending) => form.setFieldValue('expiry', ending)}
                  />
                </div>
              ),
            },
            {
              id: 'advanced',
              label: 'Advanced',
              content: (
                <div className={column(16)}>
                  <AdvancedSwitches form={form} />
                  <SoundTracksField videoId={video.id} />
                  <CaptionsField videoId={video.id} />
                  <ReplaceField video={video} />
                </div>
              ),
            },
          ]}
        />
        <div className={classes.questions}>
          <EditConflicts form={form} />
          {question}
        </div>
        <div className={`${row(12)} ${classes.foot}`}>
          <div
            role="alert"
            className={`${classes.problem} ${row(12, 'stretch', 'grow', 'size13')}`}
          >
            {edit.isError && !fieldConflicts(edit.error) && (
              <>
                <IconAlertTriangle size={20} aria-hidden />
                <p>
                  {serverSentence(edit.error)} Nothing you typed is lost: change it, or save again.
                </p>
              </>
            )}
          </div>
          <FormButtons
            submitLabel="Save Changes"
            pendingLabel="Saving..."
            isPending={edit.isPending}
            onCancel={close}
          />
        </div>
      </form>
    </Dialog>
  )
}

type EditOptions = {
  named: ReturnType<typeof useNamedMembers>
  onRefused: (error: unknown) => void
  onSaved: () => void
}

function useEditVideo({ named, onRefused, onSaved }: EditOptions) {
  const utils = trpc.useUtils()
  return trpc.video.edit.useMutation({
    async onSuccess({ id, visibility, squad }) {
      // Named members are notified of private videos only.
      if (named.isChanged && visibility === 'private' && !squad) {
        await trpcClient.video.setNamedMembers.mutate({ id, ...named.edit() })
      }
      onSaved()
      notify({ title: 'Video updated successfully', message: 'Your changes have been saved.' })
      await Promise.all([utils.video.invalidate(), utils.search.invalidate()])
    },
    onError: (error) => {
      onRefused(error)
      if (fieldConflicts(error)) return utils.video.invalidate()
      return notify({
        tone: 'error',
        title: 'Failed to update video',
        message: errorMessage(error),
      })
    },
  })
}
