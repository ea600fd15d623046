import { CopyField } from './control/copy-field.tsx'
import { look, stack } from './layout/layout.ts'

/** PowerShell may have another command named `curl`. */
const curl = /\bWindows\b/.test(navigator.userAgent) ? 'curl.exe' : 'curl'

/** Shows the commands that download and start `clutch.mjs`. */
export default function UploaderCommand() {
  const commands = [
    `${curl} -O ${location.origin}/get/clutch.mjs`,
    'node clutch.mjs login',
    'node clutch.mjs watch "Folder of your recordings"',
  ]
  return (
    <div className={stack(8)}>
      <p className={look('note')}>
        <a href="/get/clutch.mjs" download>
          clutch.mjs
        </a>{' '}
        uploads each new recording by itself while you play, and any file with{' '}
        <code>node clutch.mjs up FILE</code>. It needs{' '}
        <a href="https://nodejs.org/" rel="noreferrer">
          Node.js
        </a>{' '}
        20 or later.
      </p>
      <CopyField
        label="Commands"
        text={commands.join('\n')}
        message="Commands copied to clipboard."
        rows={3}
      />
    </div>
  )
}
