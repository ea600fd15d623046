import { Button } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { downloadBlob } from '#client/platform/download-blob.ts'
import { copyPlainText } from '#client/platform/video/share-link.ts'
import classes from './security.module.css'

/** The server returns these codes only once. */
export function RecoveryCodes({ codes, username }: { codes: string[]; username: string }) {
  const text = codes.join('\n')
  const file = `Recovery codes of ${username} at ${location.host}. Each works once.\n\n${text}\n`
  return (
    <div className={stack(16)}>
      <p>
        Use one to sign in when you do not have your passkey or authenticator app. Each works once.
        Keep them in your password manager or on paper: they are not shown again.
      </p>
      <ul className={`${classes.codes} ${look('ground', 'outlined')}`} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={wrapped(12)}>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden />}
          onClick={() =>
            void copyPlainText(text, {
              title: 'Recovery codes',
              message: 'Recovery codes copied to clipboard.',
            })
          }
        >
          Copy
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          onClick={() => downloadBlob('recovery-codes.txt', new Blob([file]))}
        >
          Download
        </Button>
      </div>
    </div>
  )
}
