import { Button } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'

const AddressDialog = lazyPart(() => import('./address-dialog.tsx'))

export function FromAddress() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        style={{ whiteSpace: 'normal' }}
        onFocus={() => void AddressDialog.preload()}
        onPointerEnter={() => void AddressDialog.preload()}
        onClick={() => setOpen(true)}
      >
        Upload from an address
      </Button>
      {isOpen && <AddressDialog onClose={() => setOpen(false)} />}
    </>
  )
}
