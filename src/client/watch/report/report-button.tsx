import { ActionIcon } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { ReportTarget } from './report-dialog.tsx'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx'))

type ReportButtonProps = {
  target: ReportTarget
  /** Noun for the dialog, such as 'video'. */
  noun: 'video' | 'comment' | 'channel' | 'post'
  icon: ReactNode
}

/** Sends a report to the admins. */
export function ReportButton({ target, noun, icon }: ReportButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ActionIcon
        variant="default"
        radius="xl"
        aria-label={`Report this ${noun}`}
        onClick={() => setAsking(true)}
      >
        {icon}
      </ActionIcon>
      {isAsking && <ReportDialog target={target} noun={noun} onClose={() => setAsking(false)} />}
    </>
  )
}
