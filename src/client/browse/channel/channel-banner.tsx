import type { CSSProperties } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { hueOf } from '#shared/hue-of.ts'
import classes from './channel-banner.module.css'

type ChannelBannerProps = { channel: { displayName: string; bannerUrl: string | null } }

const FULL_TURN = 360
const RINGS = [
  { radius: 44, width: 22, gap: 34 },
  { radius: 96, width: 2, gap: 26 },
  { radius: 152, width: 2, gap: 20 },
  { radius: 224, width: 2, gap: 15 },
  { radius: 312, width: 2, gap: 11 },
]

/** Generated from the name without a picture. */
export function ChannelBanner({ channel: { displayName, bannerUrl } }: ChannelBannerProps) {
  if (bannerUrl) {
    return (
      <div className={classes.banner}>
        <img className={classes.glow} src={bannerUrl} alt="" />
        <img
          className={`${classes.face} ${look('fullWidth', 'card', 'fullHeight', 'cropped')}`}
          src={bannerUrl}
          alt=""
        />
      </div>
    )
  }
  const hue = hueOf(displayName)
  return (
    <div className={classes.banner}>
      <div
        className={`${classes.face} ${look('fullWidth', 'card', 'fullHeight', 'cropped')} ${classes.drawn}`}
        style={{ '--hue': hue } as CSSProperties}
      >
        <svg
          className={classes.rings}
          viewBox="-900 -116 1160 232"
          preserveAspectRatio="xMaxYMid slice"
          aria-hidden="true"
        >
          {RINGS.map(({ radius, width, gap }, index) => (
            <circle
              key={radius}
              r={radius}
              strokeWidth={width}
              pathLength={FULL_TURN}
              strokeDasharray={`${FULL_TURN - 2 * gap} ${2 * gap}`}
              // Varies by channel.
              transform={`rotate(${((hue * (index + 2)) % FULL_TURN) + gap})`}
            />
          ))}
        </svg>
      </div>
    </div>
  )
}
