import './styles/mantine.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from '../theme.ts'

/** The key is known to `index.html` too, which sets the scheme before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'clutch-color-scheme' })

/** Provides controls with the theme and the colour scheme: the one chosen on this device, or else the system's. */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      withGlobalClasses={false}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      {children}
    </MantineProvider>
  )
}
