import { Button, Skeleton } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { HELD_ITEMS_SHOWN } from '#shared/limits.ts'
import type { EmptiedPart, HeldItem, HeldPart, HeldPartName } from '#shared/schemas/held.schemas.ts'
import { formatBytes, formatDate } from '#shared/text/format.ts'
import { Disclosure } from '../../../kit/control/disclosure.tsx'
import { IconButton } from '../../../kit/control/icon-button.tsx'
import { AskDialog } from '../../../kit/dialog/ask-dialog.tsx'
import { LoadError } from '../../../kit/list/load-error.tsx'
import { errorSentence } from '../../../platform/error-message.ts'
import { notify } from '../../../platform/notify.tsx'
import { trpc } from '../../../trpc.ts'
import classes from './held-storage.module.css'
import { PART_WORDS } from './held-words.ts'

const LINES = [0, 1]

/** Loads its items on demand. */
export function HeldPartPanel({ held }: { held: HeldPart }) {
  const { part, bytes, count } = held
  const { title, text, nouns } = PART_WORDS[part]
  const items = `${count} ${nouns[count === 1 ? 0 : 1]}`
  return (
    <section className={`${look('framed')} ${classes.part}`} aria-labelledby={`held-${part}`}>
      <div className={row(16, 'between', 'baseline')}>
        <div className={classes.names}>
          <h3 id={`held-${part}`} className={look('smallHeading')}>
            {title}
          </h3>
          <p className={look('note')}>{text}</p>
        </div>
        <p className={look('noShrink', 'strong')}>{formatBytes(bytes)}</p>
      </div>
      {part === 'deleting' ? (
        <p className={look('note')}>{items}</p>
      ) : (
        <div className={classes.actions}>
          <Disclosure label={items} isLazy>
            <HeldItems part={part} count={count} />
          </Disclosure>
          {part !== 'videos' && <EmptyPart part={part} items={items} bytes={bytes} />}
        </div>
      )}
    </section>
  )
}

type Deletable = Exclude<HeldPartName, 'deleting'>

function HeldItems({ part, count }: { part: Deletable; count: number }) {
  const list = trpc.held.list.useQuery({ part }, { staleTime: 0 })
  const [chosen, setChosen] = useState<HeldItem>()
  if (list.isPending) return <ItemSkeletons />
  if (!list.data) {
    return (
      <LoadError
        text={`This could not be loaded: ${errorSentence(list.error)}`}
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    )
  }
  return (
    <>
      {list.data.length === 0 && (
        <p className={look('note')}>Nothing for you to delete. It is removed automatically.</p>
      )}
      <ul>
        {list.data.map((item) => (
          <Item key={item.id} part={part} item={item} onDelete={() => setChosen(item)} />
        ))}
      </ul>
      {list.data.length === HELD_ITEMS_SHOWN && count > HELD_ITEMS_SHOWN && (
        <p className={look('note')}>These are the {HELD_ITEMS_SHOWN} largest.</p>
      )}
      {chosen && <DeleteItem part={part} item={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

type ItemProps = { part: Deletable; item: HeldItem; onDelete: () => void }

function Item({ part, item, onDelete }: ItemProps) {
  const { id, title, bytes, until } = item
  const page = pageOf(part, id)
  return (
    <li className={row(12, 'touch', 'ruleAbove')}>
      <div className={classes.names}>
        {page ? (
          <Link {...page} className={look('oneLine', 'textColor')}>
            {title}
          </Link>
        ) : (
          <span className={look('oneLine', 'textColor')}>{title}</span>
        )}
        {until && <span className={look('note')}>Kept until {formatDate(until)}</span>}
      </div>
      <span className={look('noShrink', 'note')}>{formatBytes(bytes)}</span>
      <IconButton
        variant="subtle"
        color="pulse"
        aria-label={`Delete: ${PART_WORDS[part].title}, ${title}`}
        hint="Delete"
        onClick={onDelete}
      >
        <IconTrash size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}

function pageOf(part: Deletable, id: string) {
  if (part === 'uploads' || part === 'channel') return undefined
  if (part === 'clips') return { to: '/clip/$id', params: { id } } as const
  return { to: '/video/$id', params: { id } } as const
}

/** Refetches what shows deleted items. */
function useDeleted() {
  const utils = trpc.useUtils()
  return async () => {
    notify({ title: 'Deleted' })
    await Promise.all(
      [
        ...[utils.held, utils.video, utils.clip, utils.upload, utils.cut, utils.analytics],
        ...[utils.auth, utils.user],
      ].map((router) => router.invalidate()),
    )
  }
}

type DeleteItemProps = { part: Deletable; item: HeldItem; onClose: () => void }

function DeleteItem({ part, item, onClose }: DeleteItemProps) {
  const onDeleted = useDeleted()
  const remove = trpc.held.delete.useMutation({ onSuccess: onDeleted })
  const { title, deletion } = PART_WORDS[part]
  return (
    <AskDialog
      title={part === 'videos' ? `Delete "${item.title}"?` : `${title}: delete "${item.title}"?`}
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      isDanger
      onConfirm={() => remove.mutateAsync({ part, id: item.id })}
      onClose={onClose}
    >
      {formatBytes(item.bytes)} become free. {deletion}
    </AskDialog>
  )
}

type EmptyPartProps = { part: EmptiedPart; items: string; bytes: number }

function EmptyPart({ part, items, bytes }: EmptyPartProps) {
  const onDeleted = useDeleted()
  const empty = trpc.held.empty.useMutation()
  const [isAsking, setAsking] = useState(false)
  const { title, deletion } = PART_WORDS[part]
  const run = async () => {
    for (;;) {
      const { deleted, hasMore } = await empty.mutateAsync({ part })
      if (!hasMore || deleted === 0) break
    }
    await onDeleted()
  }
  return (
    <>
      <Button
        className={classes.empty}
        size="sm"
        variant="subtle"
        color="pulse"
        aria-label={`Delete all: ${title}`}
        onClick={() => setAsking(true)}
      >
        Delete all
      </Button>
      {isAsking && (
        <AskDialog
          title={`${title}: delete all?`}
          confirmLabel="Delete all"
          pendingLabel="Deleting..."
          isDanger
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          {formatBytes(bytes)} of {items} become free. {deletion}
        </AskDialog>
      )}
    </>
  )
}

function ItemSkeletons() {
  return (
    <div role="status" aria-label="Loading">
      {LINES.map((index) => (
        <Skeleton key={index} height={28} my="xs" />
      ))}
    </div>
  )
}
