import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import { type ColorScheme, useColorScheme } from '../lib/color-scheme.ts'
import classes from './color-scheme-switch.module.css'

const CHOICES = [
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'auto', label: 'Auto', Icon: IconDeviceDesktop },
] satisfies { value: ColorScheme; label: string; Icon: typeof IconSun }[]

/** Dark, light, or as the device is. */
export default function ColorSchemeSwitch() {
  const name = useId()
  const [chosen, choose] = useColorScheme()
  return (
    <fieldset className={classes.switch}>
      <legend className={classes.legend}>Appearance</legend>
      {CHOICES.map(({ value, label, Icon }) => (
        <label key={value} className={classes.choice}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            checked={chosen === value}
            onChange={() => choose(value)}
          />
          <Icon size={18} stroke={1.75} aria-hidden />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
