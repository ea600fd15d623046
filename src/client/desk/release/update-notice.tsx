import { IconCircleArrowUp } from '@tabler/icons-react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Release } from '#shared/schemas/desk/release.schemas.ts'
import styles from './release.module.css'

export function UpdateNotice({ release: { version, update } }: { release: Release }) {
  if (!update?.newest) return null
  const { newest } = update
  return (
    <section className={`${row([0, 12], 'wrap')} ${styles.notice}`} aria-labelledby="update-title">
      <IconCircleArrowUp size={20} stroke={1.75} aria-hidden />
      <h2 id="update-title" className={look('smallHeading')}>
        Clutch {newest.version} is out
      </h2>
      <p className={look('muted')}>This site runs {version}.</p>
      {newest.url && (
        <a
          className={row(0, 'inline', 'marginStartAuto', 'touch', 'infoColor')}
          href={newest.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          Read what is new
        </a>
      )}
    </section>
  )
}
