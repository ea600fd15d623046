import { ActionIcon, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { ReportTarget } from './report-dialog.tsx'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx'))

type ReportButtonProps = {
  target: ReportTarget
  /** What it is, for the dialog: 'video'. */
  noun: 'video' | 'comment' | 'channel' | 'post'
  className?: string | undefined
  /** In place of words. */
  icon?: ReactNode
}

/** Notifies the people who run the site that something is wrong. */
export function ReportButton({ target, noun, className, icon }: ReportButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const button = { 'aria-label': `Report this ${noun}`, onClick: () => setAsking(true) }
  return (
    <>
      {icon ? (
        <ActionIcon variant="default" radius="xl" {...button}>
          {icon}
        </ActionIcon>
      ) : (
        <UnstyledButton className={className} {...button}>
          REPORT
        </UnstyledButton>
      )}
      {isAsking && <ReportDialog target={target} noun={noun} onClose={() => setAsking(false)} />}
    </>
  )
}
