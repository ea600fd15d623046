type MarkProps = { size?: number; className?: string | undefined }

/** A ring with a volt notch at two o'clock. */
export function Mark({ size = 24, className }: MarkProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="currentColor"
        d="M22.74 9.61A11 11 0 1 1 19.44 3.9L15.3 6.28A6.6 6.6 0 1 0 18.6 12Z"
      />
      <path fill="var(--volt)" d="M15.83 7.83 20.68 5.03 22.38 7.97 17.53 10.77Z" />
    </svg>
  )
}
