import { Link } from '@tanstack/react-router'
import { look, stack } from '#client/kit/layout/layout.ts'
import { PageTitle } from '../kit/page-title.tsx'
import { useSite } from '../platform/use-site.ts'
import classes from './text-page.module.css'

export function AboutPage() {
  const site = useSite()
  return (
    <article className={`${stack(16)} ${classes.page}`}>
      <PageTitle title="About" />
      <h1 className={look('size28')}>About {site?.name ?? 'this site'}</h1>
      <p className={classes.text}>
        This site runs on Clutch, a video site that gaming communities host themselves. Clutch is
        free software under the MIT licence.
      </p>
      <ul className={classes.list}>
        {site?.hasRules && (
          <li>
            <Link to="/rules">Rules of {site.name}</Link>
          </li>
        )}
        <li>
          <a href="/licences.txt">Licences of the software in these pages</a>
        </li>
        <li>
          <a href="/api/docs">API for scripts</a>
        </li>
      </ul>
    </article>
  )
}
