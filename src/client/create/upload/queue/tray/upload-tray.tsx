import '#client/kit/styles/mantine-pages.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconDots, IconX } from '@tabler/icons-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSite } from '#client/platform/use-site.ts'
import { ApprovalNote } from '../../form/approval-note.tsx'
import { findStorage } from '../../transfer/upload-memory.ts'
import { isOver, needsTab, type QueueItem } from '../queue-item.ts'
import { createSavedDetails } from '../saved-details.ts'
import { uploadQueue } from '../site-queue.ts'
import { askForNotification, canAskForNotification } from '../system-notification.ts'
import { BatchFields } from './batch-fields.tsx'
import { headText, totalsText } from './row-texts.ts'
import { TrayRow } from './tray-row.tsx'
import classes from './upload-tray.module.css'

const noticeLook = [
  classes.notice,
  row(8, 'below8', 'pad8x12', 'rounded', 'softInfo', 'breakWords', 'size13'),
].join(' ')

const DetailsDialog = lazyPart(() => import('./details-dialog.tsx'))
const SeveralDialog = lazyPart(() => import('./several-dialog.tsx'))

type Open =
  | { kind: 'edit'; id: number }
  | { kind: 'several' }
  | { kind: 'cancel'; id: number }
  | { kind: 'cancelAll' }

/** Lower right on every page; a sheet on phones. */
export default function UploadTray({ userId }: { userId: number }) {
  const signIn = useSignInLink()
  useMember(userId)
  const { items, notice, batch, interruption } = useSyncExternalStore(
    uploadQueue.subscribe,
    uploadQueue.snapshot,
  )
  const [isCollapsed, setCollapsed] = useState(false)
  const [open, setOpen] = useState<Open>()
  if (items.length === 0 && !notice) return null
  const edited = items.find(({ id }) => open?.kind === 'edit' && id === open.id)
  const close = () => setOpen(undefined)
  return (
    <section ref={showHeight} className={classes.tray} aria-label="Uploads">
      <TrayHead
        items={items}
        isCollapsed={isCollapsed}
        onCollapse={setCollapsed}
        onOpen={setOpen}
      />
      <div id="upload-list" className={classes.body} hidden={isCollapsed} data-scroller>
        {interruption && (
          <div className={noticeLook} role="alert">
            <p>{interruption.sentence}</p>
            {interruption.isSessionOver && <LinkButton {...signIn}>Sign in</LinkButton>}
            <Button size="sm" variant="default" onClick={uploadQueue.retryNow}>
              Try again
            </Button>
          </div>
        )}
        {notice && (
          <div className={noticeLook} role="status">
            <p>{notice}</p>
            <IconButton aria-label="Dismiss" onClick={uploadQueue.dropNotice}>
              <IconX size={18} aria-hidden />
            </IconButton>
          </div>
        )}
        {!items.every(isOver) && <ApprovalNote />}
        <BatchFields items={items.filter(({ id }) => batch.includes(id))} />
        <Rows items={items} onOpen={setOpen} />
      </div>
      {edited && <DetailsDialog item={edited} onClose={close} />}
      {open?.kind === 'several' && <SeveralDialog items={items} onClose={close} />}
      {(open?.kind === 'cancel' || open?.kind === 'cancelAll') && (
        <CancelQuestion open={open} items={items} onClose={close} />
      )}
    </section>
  )
}

/** Also lists unfinished uploads. */
function useMember(userId: number): void {
  const site = useSite()
  const isKnown = site !== undefined
  const member = useMemo(() => {
    if (!site) return undefined
    return {
      userId,
      saved: createSavedDetails(findStorage(), userId),
      isAnonymous: site.anonymousByDefault,
      categories: site.categories,
      maxVideoBytes: site.maxVideoBytes,
    }
  }, [userId, site])
  useEffect(() => {
    if (member) uploadQueue.setMember(member)
  }, [member])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each member.
  useEffect(() => {
    if (isKnown) void uploadQueue.loadUnfinished().catch(() => undefined)
  }, [userId, isKnown])
}

type HeadProps = {
  items: readonly QueueItem[]
  isCollapsed: boolean
  onCollapse: (isCollapsed: boolean) => void
  onOpen: (open: Open) => void
}

function TrayHead({ items, isCollapsed, onCollapse, onOpen }: HeadProps) {
  const totals = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.totals)
  const isSending = items.some(needsTab)
  const isDone = items.every(isOver)
  const Chevron = isCollapsed ? IconChevronUp : IconChevronDown
  return (
    <div className={`${classes.head} ${row(0, 'noShrink', 'relative', 'ruleBelow')}`}>
      <div className={look('fill')}>
        <h2 className={look('smallHeading')}>{headText({ items })}</h2>
        {isSending && <p className={look('fine')}>{totalsText(totals)}</p>}
        <p className="visually-hidden" role="status">
          {headText({ items })}
        </p>
      </div>
      <HeadMenu items={items} onOpen={onOpen} />
      <IconButton
        aria-label={isCollapsed ? 'Show uploads' : 'Hide uploads'}
        aria-expanded={!isCollapsed}
        aria-controls="upload-list"
        onClick={() => onCollapse(!isCollapsed)}
      >
        <Chevron size={20} aria-hidden />
      </IconButton>
      {isDone && (
        <IconButton
          aria-label="Close uploads"
          onClick={() => {
            uploadQueue.clearSettled()
            uploadQueue.dropNotice()
          }}
        >
          <IconX size={20} aria-hidden />
        </IconButton>
      )}
      {isSending && (
        <WorkBar className={classes.bar} label="All uploads" percent={totals.percent} height={3} />
      )}
    </div>
  )
}

function HeadMenu({ items, onOpen }: Pick<HeadProps, 'items' | 'onOpen'>) {
  const has = (...states: QueueItem['state'][]) => items.some(({ state }) => states.includes(state))
  return (
    <Menu position="top-end" width={220}>
      <Menu.Target>
        <IconButton aria-label="Actions for all uploads">
          <IconDots size={20} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Actions for all uploads" aria-labelledby={undefined}>
        <Menu.Item onClick={() => onOpen({ kind: 'several' })}>Edit several</Menu.Item>
        {!items.every(isOver) && canAskForNotification() && (
          <Menu.Item onClick={() => void askForNotification()}>
            Notify me when all are ready
          </Menu.Item>
        )}
        {has('running', 'waiting') && (
          <Menu.Item onClick={uploadQueue.pauseAll}>Pause all</Menu.Item>
        )}
        {has('paused', 'failed') && (
          <Menu.Item onClick={uploadQueue.resumeAll}>Resume all</Menu.Item>
        )}
        {items.some(isOver) && (
          <Menu.Item onClick={uploadQueue.clearSettled}>Clear finished</Menu.Item>
        )}
        {has('running', 'waiting', 'paused', 'failed', 'unfinished', 'fetching') && (
          <Menu.Item color="pulse" onClick={() => onOpen({ kind: 'cancelAll' })}>
            Cancel all uploads
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function Rows({ items, onOpen }: { items: readonly QueueItem[]; onOpen: (open: Open) => void }) {
  const order = items.map(({ id, details }) => `${id} ${details.title}`).join('\n')
  // A new list would cancel a running drag, so it changes with order and titles only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const entries = useMemo(
    () => items.map(({ id, details }) => ({ id, title: details.title })),
    [order],
  )
  return (
    <SortableList
      items={entries}
      onMove={uploadQueue.move}
      renderItem={({ id }, handle) => {
        const item = items.find((one) => one.id === id)
        return (
          item && (
            <TrayRow
              item={item}
              handle={handle}
              onEdit={() => onOpen({ kind: 'edit', id })}
              onCancel={() => onOpen({ kind: 'cancel', id })}
            />
          )
        )
      }}
    />
  )
}

type CancelQuestionProps = {
  open: { kind: 'cancel'; id: number } | { kind: 'cancelAll' }
  items: readonly QueueItem[]
  onClose: () => void
}

function CancelQuestion({ open, items, onClose }: CancelQuestionProps) {
  const item = open.kind === 'cancel' ? items.find(({ id }) => id === open.id) : undefined
  const cancel = () => {
    if (open.kind === 'cancel') uploadQueue.cancel(open.id)
    else uploadQueue.cancelAll()
    onClose()
  }
  return (
    <ConfirmDialog
      title={item ? `Cancel “${item.details.title}”?` : 'Cancel all uploads?'}
      confirmLabel={item ? 'Cancel upload' : 'Cancel all uploads'}
      pendingLabel="Cancel upload"
      isPending={false}
      onClose={onClose}
      onConfirm={cancel}
    >
      What has arrived is deleted, with its details. Finished uploads stay.
    </ConfirmDialog>
  )
}

/** Keeps toasts and the page's end clear of the tray. */
function showHeight(tray: HTMLElement | null): (() => void) | undefined {
  if (!tray) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--tray-height', `${tray.offsetHeight}px`),
  )
  observer.observe(tray)
  return () => {
    observer.disconnect()
    style.removeProperty('--tray-height')
  }
}
