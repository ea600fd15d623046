import '#client/kit/styles/mantine-pages.css'
import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import classes from './color-scheme-switch.module.css'

const CHOICES = [
  { value: 'dark', name: 'Dark', Icon: IconMoon },
  { value: 'light', name: 'Light', Icon: IconSun },
  { value: 'auto', name: 'System', Icon: IconDeviceDesktop },
] satisfies { value: MantineColorScheme; name: string; Icon: typeof IconSun }[]

export default function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={classes.switch}>
      <legend className={classes.legend}>Appearance</legend>
      <SegmentedControl
        fullWidth
        withItemsBorders={false}
        classNames={{ root: classes.root, label: classes.choice, indicator: classes.indicator }}
        value={colorScheme}
        onChange={setColorScheme}
        data={CHOICES.map(({ value, name, Icon }) => ({
          value,
          label: (
            <span className={row(4)}>
              <Icon size={18} stroke={1.75} aria-hidden />
              {name}
            </span>
          ),
        }))}
      />
    </fieldset>
  )
}
