import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { useDiscardQuestion } from '#client/kit/dialog/use-discard-question.tsx'
import { column, look, row, stack } from '#client/kit/layout/layout.ts'
import { GameSelect } from '#client/kit/video/game-select.tsx'
import { TagsField } from '#client/kit/video/tags-field.tsx'
import {
  type ChosenLevel,
  KEEP_LEVEL,
  VideoLevelField,
} from '#client/kit/visibility/visibility-field.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { useSite } from '#client/platform/use-site.ts'
import { trpc } from '#client/trpc.ts'
import { descriptionRule, tagsRule } from '#shared/field-rules.ts'
import { type Category, PARTICIPANTS_MAX, TAGS_MAX } from '#shared/limits.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'
import { PlayersField } from '../../../players-field.tsx'
import { ThumbnailField } from '../../form/thumbnail-field.tsx'
import type { VideoFieldValues } from '../../form/video-fields.tsx'
import { isEditable, type QueueItem } from '../queue-item.ts'
import { uploadQueue } from '../site-queue.ts'
import classes from './details-dialog.module.css'
import { counted } from './row-texts.ts'

type Flag = 'keep' | 'yes' | 'no'

const FLAGS: readonly { value: Flag; label: string }[] = [
  { value: 'keep', label: 'Keep as it is' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

type SeveralDialogProps = { items: readonly QueueItem[]; onClose: () => void }

/** Empty fields keep each file's value. */
export default function SeveralDialog({ items, onClose }: SeveralDialogProps) {
  const editable = items.filter(isEditable)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [usesNames, setUsesNames] = useState(false)
  const [category, setCategory] = useState<Category | null>(null)
  const [level, setLevel] = useState<ChosenLevel | null>(null)
  const [tags, setTags] = useState<string[]>([])
  const [description, setDescription] = useState('')
  const [isAnonymous, setAnonymous] = useState<Flag>('keep')
  const [thumbnail, setThumbnail] = useState<File>()
  const [players, setPlayers] = useState<NamedMember[]>([])
  const name = trpc.participant.add.useMutation({
    onError: notifyFailure('Error'),
  })
  const maxThumbnailBytes = useSite()?.maxThumbnailBytes ?? 0
  const chosen = editable.filter(({ id }) => !left.has(id))
  const hasNames = chosen.some(({ recognised }) => recognised)
  const problem = tagsRule(tags) ?? descriptionRule(description)

  const changeOf = ({ details, recognised }: QueueItem): Partial<VideoFieldValues> => ({
    ...(usesNames && recognised && { title: recognised.title }),
    ...(usesNames && recognised?.category && { category: recognised.category }),
    ...(category && { category }),
    ...level,
    ...(description.trim() && { description }),
    ...(isAnonymous !== 'keep' && { isAnonymous: isAnonymous === 'yes' }),
    tags: [...new Set([...details.tags, ...tags])].slice(0, TAGS_MAX),
    participants: withPlayers(details.participants, players),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (problem) return
    const ids = chosen.map(({ id }) => id)
    uploadQueue.changeDetails(ids, changeOf)
    if (thumbnail) for (const id of ids) uploadQueue.changeThumbnail(id, thumbnail)
    for (const { videoId } of chosen) {
      if (videoId === undefined) continue
      for (const { id: userId } of players) name.mutate({ videoId, userId })
    }
    onClose()
  }
  const isDirty =
    usesNames ||
    category !== null ||
    level !== null ||
    tags.length > 0 ||
    description !== '' ||
    isAnonymous !== 'keep' ||
    players.length > 0 ||
    thumbnail !== undefined
  const { close, question } = useDiscardQuestion(isDirty, onClose)
  const toggle = (id: number) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  return (
    <Dialog title="Edit several" onClose={close} closeOnClickOutside={false}>
      <form className={column(16)} onSubmit={save} noValidate>
        <p className={look('note', 'breakWords')}>What you do not choose here stays as it is.</p>
        <fieldset className={`${classes.files} ${stack(8, 'pad8', 'outlined')}`}>
          <legend className="visually-hidden">Videos to change</legend>
          {editable.map(({ id, details }) => (
            <Checkbox
              key={id}
              label={details.title}
              checked={!left.has(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </fieldset>
        {hasNames && (
          <Checkbox
            label="Use title and game from the files"
            checked={usesNames}
            onChange={(event) => setUsesNames(event.currentTarget.checked)}
          />
        )}
        <GameSelect canKeep value={category} onChange={setCategory} />
        <VideoLevelField unset={KEEP_LEVEL} value={level} onChange={setLevel} />
        <TagsField
          label="Add tags"
          hint="Enter or a comma ends a tag."
          value={tags}
          error={tagsRule(tags)}
          onChange={setTags}
        />
        <Textarea
          name="description"
          label="Description"
          rows={3}
          value={description}
          error={descriptionRule(description)}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <InlineSelect
          label="Upload anonymously"
          options={FLAGS}
          value={isAnonymous}
          onChange={setAnonymous}
        />
        <PlayersField
          members={players}
          ownId={uploadQueue.memberId() ?? null}
          isAnonymous={isAnonymous === 'yes'}
          onAdd={(member) => setPlayers([...players, member])}
          onRemove={(member) => setPlayers(players.filter((player) => player !== member))}
        />
        <ThumbnailField
          thumbnail={thumbnail}
          maxBytes={maxThumbnailBytes}
          disabled={false}
          onChange={setThumbnail}
        />
        {question}
        <div className={row(12, 'end', 'stretch')}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button type="submit" disabled={chosen.length === 0}>
            Change {counted(chosen.length, 'video')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function withPlayers(named: NamedMember[], players: NamedMember[]): NamedMember[] {
  const added = players.filter(({ id }) => !named.some((member) => member.id === id))
  return [...named, ...added].slice(0, PARTICIPANTS_MAX)
}
