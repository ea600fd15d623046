import '../styles/mantine.css'
import { MantineProvider } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { colorSchemeManager, theme } from '../theme.ts'

/** Around the pages that use Mantine; the shell and the home page load without it. */
export function MantineLayout() {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      defaultColorScheme="dark"
      colorSchemeManager={colorSchemeManager}
    >
      <Outlet />
    </MantineProvider>
  )
}
