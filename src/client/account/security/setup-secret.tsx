import { beside, look, stack } from '#client/kit/layout/layout.ts'
import { QrCode } from '#client/kit/qr/qr-code.tsx'
import type { TimeCodeSetup } from '#shared/schemas/second-factor.schemas.ts'
import classes from './security.module.css'

/** The key for an authenticator app, as a QR code and as text. */
export function SetupSecret({ setup }: { setup: TimeCodeSetup }) {
  return (
    <div className={`${beside(16)} ${classes.setup}`}>
      <QrCode text={setup.uri} label="QR code for your authenticator app" />
      <div className={stack(8, 'atTop')}>
        <p>Scan it with your authenticator app, or enter this key there:</p>
        <p className={`${classes.secret} ${look('breakWords')}`}>{setup.secret}</p>
        <p>
          <a className={classes.openApp} href={setup.uri}>
            Open in an app on this device
          </a>
        </p>
      </div>
    </div>
  )
}
