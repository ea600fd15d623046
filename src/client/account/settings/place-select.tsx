import '#client/kit/styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { useId } from 'react'
import type { NotificationPlace } from '#shared/notification-kinds.ts'
import classes from './push.module.css'

const WORDS: Record<NotificationPlace, string> = {
  push: 'Bell and push',
  bell: 'Bell only',
  none: 'Off',
}
const OPTIONS = (Object.keys(WORDS) as NotificationPlace[]).map((value) => ({
  value,
  label: WORDS[value],
}))

type PlaceSelectProps = {
  label: string
  place: NotificationPlace
  disabled: boolean
  onChange: (place: NotificationPlace) => void
}

export default function PlaceSelect({ label, place, disabled, onChange }: PlaceSelectProps) {
  const id = useId()
  return (
    <div className={classes.place}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        data={OPTIONS}
        disabled={disabled}
        value={place}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
    </div>
  )
}
