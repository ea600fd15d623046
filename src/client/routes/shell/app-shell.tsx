import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AdminRequest } from './admin-request.tsx'
import classes from './app-shell.module.css'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { TabBar } from './tab-bar.tsx'

const CONTENT_ID = 'content'

/** Header, sidebar and tab bar around a page. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <div className={classes.shell}>
      <a className={`visually-hidden ${classes.skipLink}`} href={`#${CONTENT_ID}`}>
        Skip to content
      </a>
      <Header />
      <div className={classes.sidebar}>
        <Sidebar />
      </div>
      <main id={CONTENT_ID} className={classes.content} tabIndex={-1}>
        {children}
      </main>
      <TabBar />
    </div>
  )
}

export function ShellLayout() {
  return (
    <AppShell>
      <Outlet />
      <AdminRequest />
    </AppShell>
  )
}
