import { Button } from '@mantine/core'
import { useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { TagsField } from '#client/kit/video/tags-field.tsx'
import {
  type ChosenLevel,
  KEEP_LEVEL,
  VideoLevelField,
} from '#client/kit/visibility/visibility-field.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { tagsRule } from '#shared/field-rules.ts'
import type { Category } from '#shared/limits.ts'
import type { BulkResult, Video } from '#shared/schemas/video.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { BulkProblems } from './bulk-problems.tsx'

type Flag = 'keep' | 'yes' | 'no'
type BulkDialogProps = {
  videos: Video[]
  onDone: (result: BulkResult) => void
  onClose: () => void
}

const FLAGS: readonly { value: Flag; label: string }[] = [
  { value: 'keep', label: 'Keep as it is' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const toFlag = (flag: Flag) => (flag === 'keep' ? undefined : flag === 'yes')

/** Unset fields stay. */
export default function BulkEditDialog({ videos, onDone, onClose }: BulkDialogProps) {
  const utils = trpc.useUtils()
  const [category, setCategory] = useState<Category | null>(null)
  const [level, setLevel] = useState<ChosenLevel | null>(null)
  const [addTags, setAddTags] = useState<string[]>([])
  const [removeTags, setRemoveTags] = useState<string[]>([])
  const [isAnonymous, setAnonymous] = useState<Flag>('keep')
  const [discordEmbed, setDiscordEmbed] = useState<Flag>('keep')
  const edit = trpc.video.editMany.useMutation({
    async onSuccess(result) {
      onDone(result)
      if (result.failed.length === 0) {
        onClose()
        notify({ title: 'Videos updated', message: savedMessage(result.done.length, level) })
      }
      await Promise.all([utils.video.invalidate(), utils.search.invalidate()])
    },
  })
  const problem = tagsRule(addTags) ?? tagsRule(removeTags)
  const hasChange =
    category !== null ||
    level !== null ||
    addTags.length + removeTags.length > 0 ||
    isAnonymous !== 'keep' ||
    discordEmbed !== 'keep'
  const { close, question } = useDiscardQuestion(hasChange && !edit.data, onClose)
  const save = () =>
    edit.mutate({
      ids: videos.map(({ id }) => id),
      category: category ?? undefined,
      ...level,
      addTags,
      removeTags,
      isAnonymous: toFlag(isAnonymous),
      discordEmbed: toFlag(discordEmbed),
    })
  const count = videos.length
  return (
    <Dialog
      onClose={close}
      title={count === 1 ? 'Edit 1 video' : `Edit ${count} videos`}
      closeOnClickOutside={false}
    >
      <p className={look('below16', 'muted')}>What you do not choose here stays as it is.</p>
      <div className={column(16)}>
        <GameSelect canKeep value={category} onChange={setCategory} />
        <VideoLevelField unset={KEEP_LEVEL} value={level} onChange={setLevel} />
        <TagsField
          name="addTags"
          label="Add tags"
          hint="Enter or a comma ends a tag."
          value={addTags}
          error={tagsRule(addTags)}
          onChange={setAddTags}
        />
        <TagsField
          name="removeTags"
          label="Remove tags"
          hint="From the videos that have them."
          value={removeTags}
          error={tagsRule(removeTags)}
          onChange={setRemoveTags}
        />
        <InlineSelect
          label="Anonymous Upload"
          options={FLAGS}
          value={isAnonymous}
          onChange={setAnonymous}
        />
        <InlineSelect
          label="Show in Discord"
          options={FLAGS}
          value={discordEmbed}
          onChange={setDiscordEmbed}
        />
      </div>
      <BulkProblems result={edit.data} videos={videos} verb="changed" />
      <p className={look('above12', 'problem')} role="alert">
        {edit.isError && `${serverSentence(edit.error)} Nothing you chose is lost: save again.`}
      </p>
      {question}
      <div className={wrapped(12, 'end', 'above24')}>
        <Button variant="default" onClick={close}>
          {edit.data ? 'Close' : 'Cancel'}
        </Button>
        <Button disabled={!hasChange || problem !== undefined || edit.isPending} onClick={save}>
          {edit.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
      </div>
    </Dialog>
  )
}

/** Mentions changed visibility. */
function savedMessage(count: number, level: ChosenLevel | null): string {
  if (!level) return 'Your changes have been saved.'
  const subject = count === 1 ? '1 video is' : `${count} videos are`
  if (level.squadId !== null) return `${subject} now for your squad.`
  const { name, text } = VISIBILITY_WORDS[level.visibility]
  return `${subject} now ${name}. ${text}.`
}
