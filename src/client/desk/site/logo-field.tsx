import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { look, row } from '#client/kit/layout/layout.ts'
import { PickFile } from '../../kit/control/pick-file.tsx'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { postForm } from '../../platform/post-form.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import styles from './site-settings.module.css'

/** Replaces the mark of Clutch; saved at once. */
export function LogoField({ logoUrl }: { logoUrl: string | null }) {
  const action = useDeskAction('site')
  const [isAsking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('picture', file)
      return postForm<{ url: string }>('/api/site/logo', form)
    },
    ...action({ done: 'Logo saved', failed: 'Logo not changed' }),
  })
  const remove = trpc.site.removeLogo.useMutation(action({ done: 'Logo removed' }))
  return (
    <div>
      <p className={look('strong', 'below4')}>Logo</p>
      <div className={row(12, 'wrap')}>
        {logoUrl && <img className={styles.logo} src={logoUrl} alt="The logo as it is now" />}
        <PickFile
          label="Choose a logo"
          accept="image/png,image/jpeg"
          onPick={(file) => save.mutate(file)}
        >
          {(button) => (
            <Button variant="default" disabled={save.isPending} {...button}>
              {save.isPending ? 'Saving...' : logoUrl ? 'Change logo' : 'Choose a logo'}
            </Button>
          )}
        </PickFile>
        {logoUrl && (
          <Button variant="subtle" aria-label="Remove the logo" onClick={() => setAsking(true)}>
            Remove
          </Button>
        )}
      </div>
      {/* Forms cannot be nested. */}
      {isAsking &&
        createPortal(
          <AskDialog
            title="Remove the logo?"
            confirmLabel="Remove"
            pendingLabel="Removing..."
            isDanger
            onConfirm={() => remove.mutateAsync()}
            onClose={() => setAsking(false)}
          >
            The header shows the mark of Clutch again. The picture goes for good.
          </AskDialog>,
          document.body,
        )}
    </div>
  )
}
