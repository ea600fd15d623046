import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyField } from '#client/kit/control/copy-field.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { downloadBlob } from '#client/platform/download-blob.ts'
import type { ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'
import { curlCommand, powerShellCommand, shareXConfiguration } from './scripts.ts'

type Created = { name: string; scope: ApiTokenScope; token: string }

export function CreatedToken({ created, onClose }: { created: Created; onClose: () => void }) {
  const { scope, token } = created
  const access = { origin: location.origin, token }
  return (
    <>
      <p>
        Copy it now: it is not shown again. Whoever has it can{' '}
        {scope === 'upload' ? 'upload as you' : 'read as you'}.
      </p>
      <CopyField label="API token" text={token} message="API token copied to clipboard." />
      {scope === 'upload' && (
        <>
          <div>
            <Button
              variant="default"
              leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
              onClick={() => downloadBlob('clutch.sxcu', new Blob([shareXConfiguration(access)]))}
            >
              ShareX configuration
            </Button>
            <p className={look('note')}>
              Open the file with ShareX, and it uploads your recordings here. The token is in it.
            </p>
          </div>
          <CopyField
            label="With curl"
            text={curlCommand(access)}
            message="Command copied to clipboard."
            rows={3}
          />
          <CopyField
            label="With PowerShell, for OBS on Windows"
            text={powerShellCommand(access)}
            message="Command copied to clipboard."
            rows={3}
          />
        </>
      )}
      {scope === 'read' && (
        <p className={look('note')}>
          Send it with each request: <code>Authorization: Bearer {'<token>'}</code>. The calls are
          described at <a href="/api/docs">/api/docs</a>.
        </p>
      )}
      <div className={row(12, 'wrap', 'end')}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </>
  )
}
