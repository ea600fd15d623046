/** Two o'clock. */
const NOTCH_DEGREES = -30
const RINGS = [
  { radius: 110, width: 56, gap: 14 },
  { radius: 190, width: 2, gap: 30 },
  { radius: 270, width: 2, gap: 22 },
  { radius: 380, width: 2, gap: 16 },
]

/** The mark drawn as a closing sight, for large areas that have no picture. */
export default function ClosingSight({ className }: { className: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="-400 -400 800 800"
      fill="none"
      stroke="var(--line)"
      aria-hidden="true"
    >
      {RINGS.map(({ radius, width, gap }) => (
        <circle
          key={radius}
          r={radius}
          strokeWidth={width}
          pathLength={360}
          strokeDasharray={`${360 - 2 * gap} ${2 * gap}`}
          transform={`rotate(${NOTCH_DEGREES + gap})`}
        />
      ))}
      <path
        fill="var(--volt-fill)"
        stroke="none"
        d="M76 -12h62v24h-62z"
        transform={`rotate(${NOTCH_DEGREES})`}
      />
    </svg>
  )
}
