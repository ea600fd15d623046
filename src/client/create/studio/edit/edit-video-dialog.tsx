import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { NamedMembers } from '#client/kit/visibility/named-members.tsx'
import { errorMessage, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc, trpcClient } from '#client/trpc.ts'
import { descriptionRule, tagsRule, titleRule } from '#shared/field-rules.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { CaptionsField } from '../captions/captions-field.tsx'
import classes from './edit-video-dialog.module.css'
import { EditVideoFields, EditVideoSwitches, type EditVideoValues } from './edit-video-fields.tsx'
import { ExpiryField, toEnding, toExpiry } from './expiry-field.tsx'
import { ParticipantsField } from './participants-field.tsx'
import { PosterField } from './poster-field.tsx'
import { ReplaceField } from './replace-field.tsx'
import { SoundTracksField } from './sound-tracks-field.tsx'

type EditVideoDialogProps = { video: Video; onClose: () => void }

/** Changes what is said about a video. What was typed stays when the server refuses it. */
export default function EditVideoDialog({ video, onClose }: EditVideoDialogProps) {
  const isSmall = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const form = useCheckedForm<EditVideoValues>({
    initialValues: {
      title: video.title,
      description: video.description,
      category: video.category,
      tags: video.tags,
      isAnonymous: video.isAnonymous,
      discordEmbed: video.discordEmbed,
      commentsOff: video.commentsOff,
      visibility: video.visibility,
      allowsDownload: video.allowsDownload,
      allowsClips: video.allowsClips,
      allowsClipVideos: video.allowsClipVideos,
      ...toEnding(video.expiry),
    },
    validate: {
      title: (title) => (title.trim() ? titleRule(title) : 'Title is required'),
      description: descriptionRule,
      tags: tagsRule,
      endDay: (_, values) =>
        toExpiry(values, video.expiry) === undefined && 'Choose a day that is to come.',
    },
  })
  const isPrivate = form.values.visibility === 'private'
  const named = trpc.video.namedMembers.useQuery({ id: video.id }, { enabled: isPrivate })
  const [members, setMembers] = useState<NamedMember[]>()
  const edit = useEditVideo({ members, onSaved: onClose })
  const isChanged = form.isDirty() || members !== undefined
  const save = ({ ending, endDay, ...values }: EditVideoValues) => {
    const hasOtherEnd = form.isDirty('ending') || form.isDirty('endDay')
    const expiry = hasOtherEnd ? toExpiry({ ending, endDay }, video.expiry) : undefined
    edit.mutate({ id: video.id, ...values, ...(expiry !== undefined && { expiry }) })
  }
  const { close, question } = useDiscardQuestion(isChanged, onClose)
  return (
    <Dialog
      onClose={close}
      title="Edit Video"
      size={860}
      fullScreen={isSmall ?? false}
      closeOnClickOutside={false}
    >
      <p className={classes.subtitle}>Make changes to your video details below</p>
      <form noValidate className={classes.form} onSubmit={form.onSubmit(save)}>
        <div className={classes.columns}>
          <div className={classes.fields}>
            <EditVideoFields form={form} />
            {isPrivate && named.data && (
              <NamedMembers
                members={members ?? named.data}
                ownId={video.userId}
                onChange={setMembers}
              />
            )}
            <EditVideoSwitches form={form} />
            <ExpiryField ending={form.values.ending} getInputProps={form.getInputProps} />
          </div>
          <PosterField video={video} />
        </div>
        <ParticipantsField video={video} />
        <SoundTracksField videoId={video.id} />
        <CaptionsField videoId={video.id} />
        <ReplaceField video={video} />
        {question}
        <div className={classes.foot}>
          <div role="alert" className={classes.problem}>
            {edit.isError && (
              <>
                <IconAlertTriangle size={20} aria-hidden />
                <p>
                  {serverSentence(edit.error)} Nothing you typed is lost: change it, or save again.
                </p>
              </>
            )}
          </div>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={edit.isPending}>
            {edit.isPending ? 'Saving...' : 'Save Changes'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type EditOptions = { members: NamedMember[] | undefined; onSaved: () => void }

function useEditVideo({ members, onSaved }: EditOptions) {
  const utils = trpc.useUtils()
  return trpc.video.edit.useMutation({
    async onSuccess({ id, visibility }) {
      // Once it is private: they are notified only of what is.
      if (members && visibility === 'private') {
        const usernames = members.map(({ username }) => username)
        await trpcClient.video.setNamedMembers.mutate({ id, usernames })
      }
      onSaved()
      notify({ title: 'Video updated successfully', message: 'Your changes have been saved.' })
      await Promise.all([utils.video.invalidate(), utils.search.invalidate()])
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Failed to update video', message: errorMessage(error) }),
  })
}
