import { Button } from '@mantine/core'
import { IconArrowUp, IconFilter, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import { INBOX_RULES_MAX } from '#shared/limits.ts'
import type { InboxRule } from '#shared/schemas/inbox.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { EntryRow } from '../../kit/list/entry-row.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { useSquads } from '../use-squads.ts'

const RuleDialog = lazyPart(() => import('./rule-dialog.tsx'))

/** The position of the edited rule. A new rule has the position after the last one. */
type Opened = { at: number }

export function InboxRules({ rules }: { rules: InboxRule[] }) {
  const [opened, setOpened] = useState<Opened>()
  const action = useDeskAction('inbox')
  const save = trpc.inbox.saveSettings.useMutation(
    action({ done: 'Rules saved', failed: 'Not saved' }),
  )
  const change = (next: InboxRule[]) => save.mutate({ rules: next, was: { rules } })
  return (
    <Panel
      title="Rules"
      about="The first rule whose folder a recording is in decides what is proposed for it, and whether it is published without asking."
      action={
        rules.length < INBOX_RULES_MAX && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
            onClick={() => setOpened({ at: rules.length })}
          >
            Add a rule
          </Button>
        )
      }
    >
      {rules.length === 0 ? (
        <p className={look('note')}>Without rules, members publish their recordings themselves.</p>
      ) : (
        <ul className={stack(0)}>
          {rules.map((rule, at) => (
            <Rule
              // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids, and their order counts.
              key={at}
              rule={rule}
              onEdit={() => setOpened({ at })}
              onRemove={() => change(rules.toSpliced(at, 1))}
              onRaise={
                at === 0
                  ? undefined
                  : () => change(rules.toSpliced(at, 1).toSpliced(at - 1, 0, rule))
              }
            />
          ))}
        </ul>
      )}
      {opened && <RuleDialog rules={rules} at={opened.at} onClose={() => setOpened(undefined)} />}
    </Panel>
  )
}

type RuleProps = {
  rule: InboxRule
  onEdit: () => void
  onRemove: () => void
  onRaise: (() => void) | undefined
}

function Rule({ rule, onEdit, onRemove, onRaise }: RuleProps) {
  const squads = useSquads()
  const { folder, username, category, visibility, squadId, publishes } = rule
  const name = folder === '' ? 'All folders' : folder
  const squad = squads.find(({ id }) => id === squadId)
  const level = squadId === null ? visibility && VISIBILITY_WORDS[visibility].name : squad?.name
  const facts = [
    username !== null && `of @${username}`,
    category,
    squadId !== null && !squad ? 'A squad' : level,
  ]
  return (
    <EntryRow
      icon={IconFilter}
      name={name}
      tag={publishes && 'Publishes'}
      facts={facts.filter(Boolean).join(' · ') || 'As recognised'}
      action={
        <RowMenu
          label={`Actions for ${name}`}
          items={[
            { label: 'Edit', Icon: IconPencil, onPress: onEdit },
            ...(onRaise ? [{ label: 'Move up', Icon: IconArrowUp, onPress: onRaise }] : []),
            { label: 'Remove', Icon: IconTrash, isDanger: true, onPress: onRemove },
          ]}
        />
      }
    />
  )
}
