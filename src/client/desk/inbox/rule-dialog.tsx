import '../../kit/styles/mantine-pages.css'
import { Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCategories } from '#client/platform/use-site.ts'
import { INBOX_FOLDER_MAX, USERNAME_MAX } from '#shared/limits.ts'
import type { InboxRule } from '#shared/schemas/inbox.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { trpc } from '../../trpc.ts'
import { DialogForm } from '../dialog-form.tsx'
import { useDeskAction } from '../use-desk-action.ts'
import { useSquads } from '../use-squads.ts'

const NEW: InboxRule = {
  ...{ folder: '', username: null, category: null },
  ...{ visibility: null, squadId: null, publishes: false },
}
const USUAL = 'usual'

type RuleDialogProps = {
  rules: InboxRule[]
  /** Position of the rule. A new rule has the position after the last one. */
  at: number
  onClose: () => void
}

export default function RuleDialog({ rules, at, onClose }: RuleDialogProps) {
  const before = rules[at] ?? NEW
  const [rule, setRule] = useState(before)
  const categories = useCategories()
  const action = useDeskAction('inbox')
  const save = trpc.inbox.saveSettings.useMutation(action({ done: 'Rules saved' }))
  const set = (change: Partial<InboxRule>) => setRule((old) => ({ ...old, ...change }))
  const { folder, username, category, publishes } = rule
  return (
    <DialogForm
      title={at < rules.length ? 'Edit the rule' : 'Add a rule'}
      submitLabel={at < rules.length ? 'Save' : 'Add'}
      pendingLabel="Saving..."
      isDirty={JSON.stringify(rule) !== JSON.stringify(before)}
      mutation={save}
      onSubmit={() =>
        save.mutate({ rules: rules.toSpliced(at, 1, rule), was: { rules } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <TextInput
        label="Folder"
        description="A folder anywhere in the inbox, such as Rust or ann/Rust. Empty for all recordings."
        maxLength={INBOX_FOLDER_MAX}
        autoComplete="off"
        data-autofocus
        value={folder}
        onChange={(event) => set({ folder: event.currentTarget.value })}
      />
      <TextInput
        label="Owner"
        description="A username. Empty for the member whose username the first folder has, or else the first admin."
        maxLength={USERNAME_MAX}
        autoComplete="off"
        value={username ?? ''}
        onChange={(event) => set({ username: event.currentTarget.value.trim() || null })}
      />
      <Select
        label="Category"
        data={[{ value: '', label: 'As recognised' }, ...categories]}
        value={category ?? ''}
        onChange={(value) => set({ category: value || null })}
      />
      <LevelField rule={rule} set={set} />
      <Switch
        label="Publish without asking"
        description="Otherwise the recording waits for its owner. Duplicates, and recordings without a named owner, always wait."
        checked={publishes}
        onChange={(event) => set({ publishes: event.currentTarget.checked })}
      />
    </DialogForm>
  )
}

function LevelField(props: { rule: InboxRule; set: (change: Partial<InboxRule>) => void }) {
  const { visibility, squadId } = props.rule
  const squads = useSquads()
  const choose = (value: string) => {
    const squad = squads.find(({ id }) => `squad ${id}` === value)
    props.set({
      squadId: squad?.id ?? null,
      visibility: squad || value === USUAL ? null : (value as Visibility),
    })
  }
  return (
    <Select
      label="Who can watch"
      description={squadId === null ? undefined : 'If the owner is in that squad.'}
      data={[
        { value: USUAL, label: 'As the owner usually publishes' },
        ...Object.entries(VISIBILITY_WORDS).map(([value, { name }]) => ({ value, label: name })),
        {
          group: 'Squads',
          items: squads.map(({ id, name }) => ({ value: `squad ${id}`, label: name })),
        },
      ]}
      value={squadId === null ? (visibility ?? USUAL) : `squad ${squadId}`}
      onChange={(value) => value && choose(value)}
    />
  )
}
