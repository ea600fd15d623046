import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Setup } from '#shared/schemas/desk/setup.schemas.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import classes from '../admin.module.css'
import styles from './setup.module.css'
import { StepActions, type StepProps } from './step-actions.tsx'

type ClipStepProps = StepProps & { firstVideo: Setup['firstVideo'] }

/** Links to the upload, or shows that a video exists. */
export function ClipStep({ firstVideo, onDone, onSkip }: ClipStepProps) {
  if (firstVideo) {
    return (
      <div className={styles.form} role="status">
        <p>
          It is here:{' '}
          <Link to="/video/$id" params={{ id: String(firstVideo.id) }} className={classes.link}>
            {firstVideo.title}
          </Link>
        </p>
        <StepActions onSkip={undefined}>
          <Button variant="default" onClick={() => void onDone().catch(() => {})}>
            Continue
          </Button>
        </StepActions>
      </div>
    )
  }
  return (
    <div className={styles.form}>
      <p>
        Any recording will do, from ShadowPlay, OBS, Steam or a phone. This step is done as soon as
        it is uploaded.
      </p>
      <StepActions onSkip={onSkip}>
        <LinkButton to="/upload">Upload a video</LinkButton>
      </StepActions>
    </div>
  )
}
