import '../styles/mantine-pages.css'
import { Progress } from '@mantine/core'

type WorkBarProps = {
  /** For screen readers. */
  label: string
  percent: number
  /** Pixels. */
  height?: number
  className?: string | undefined
}

/** The whole bar has the role, because at 0% nothing else exists. */
export function WorkBar({ label, percent, height = 4, className }: WorkBarProps) {
  const rounded = Math.round(percent)
  return (
    <Progress.Root
      size={height}
      radius="xl"
      transitionDuration={200}
      className={className}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={rounded}
    >
      <Progress.Section value={rounded} withAria={false} />
    </Progress.Root>
  )
}
