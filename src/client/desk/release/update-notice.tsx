import { IconCircleArrowUp } from '@tabler/icons-react'
import type { Release } from '#shared/schemas/desk/release.schemas.ts'
import classes from '../admin.module.css'
import styles from './release.module.css'

/** There is a newer version than the one that runs. */
export function UpdateNotice({ release: { version, update } }: { release: Release }) {
  if (!update?.newest) return null
  const { newest } = update
  return (
    <section className={styles.notice} aria-labelledby="update-title">
      <IconCircleArrowUp size={20} stroke={1.75} aria-hidden />
      <h2 id="update-title" className={styles.noticeTitle}>
        Clutch {newest.version} is out
      </h2>
      <p className={classes.quiet}>This site runs {version}.</p>
      {newest.url && (
        <a
          className={styles.noticeLink}
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
