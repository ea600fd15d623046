import { Button } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Days } from './deletion-dialog.tsx'

const DeletionDialog = lazyPart(() => import('./deletion-dialog.tsx'))

export function DeleteAccount({ onDeleted }: { onDeleted: (days: Days) => Promise<void> }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button variant="outline" color="pulse" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      {isAsking && <DeletionDialog onDeleted={onDeleted} onClose={() => setAsking(false)} />}
    </div>
  )
}
