import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { startHistoryAnew } from './frozen-order.ts'
import { HISTORY_QUEUE } from './queue-key.ts'
import { placeIn } from './queue-settings.ts'

type PlayAllProps = {
  list: string
  videos: readonly { id: number }[]
  noun?: 'video' | 'clip'
  /** Next to a second-level heading. */
  isQuiet?: boolean
  className?: string | undefined
}

/** From the start, or where it stopped. */
export function PlayAll({ list, videos, noun = 'video', isQuiet, className }: PlayAllProps) {
  const [first] = videos
  const place = placeIn(list)
  if (!first) return null
  const to = noun === 'clip' ? '/clip/$id' : '/video/$id'
  return (
    <>
      <LinkButton
        to={to}
        params={{ id: String(first.id) }}
        search={{ list }}
        className={className}
        variant="default"
        {...(isQuiet && { size: 'sm' })}
        {...(list === HISTORY_QUEUE && { onClick: startHistoryAnew })}
        leftSection={<IconPlayerPlayFilled size={18} aria-hidden />}
      >
        {noun === 'clip' ? 'Play all clips' : 'Play all'}
      </LinkButton>
      {place && place.videoId !== first.id && !isQuiet && (
        <LinkButton
          to={to}
          params={{ id: String(place.videoId) }}
          search={{ list }}
          variant="default"
        >
          Continue
        </LinkButton>
      )}
    </>
  )
}
