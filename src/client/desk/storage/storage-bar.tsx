import type { Storage } from '#shared/schemas/desk/overview.schemas.ts'
import styles from '../site/overview.module.css'
import { sizeText } from './size-text.ts'

const PARTS = [
  ['originals', 'Originals'],
  ['videos', 'Videos'],
  ['renditions', 'Renditions'],
  ['pictures', 'Pictures'],
  ['uploads', 'Uploads in progress'],
  ['database', 'Database'],
] as const

/** What takes the room on the disk, and how much is left. */
export function StorageBar({ storage }: { storage: Storage }) {
  const own = PARTS.reduce((sum, [name]) => sum + storage[name], 0)
  const other = Math.max(0, storage.disk - storage.free - own)
  const parts = [
    ...PARTS.map(([name, label]) => ({ name, label, bytes: storage[name] })),
    { name: 'other', label: 'Other files on the disk', bytes: other },
    { name: 'free', label: 'Free', bytes: storage.free },
  ]
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ bytes }) => bytes > 0)
          .map(({ name, bytes }) => (
            <span
              key={name}
              className={styles.part}
              data-part={name}
              style={{ width: `${(bytes / all) * 100}%` }}
            />
          ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(({ name, label, bytes }) => (
          <li key={name} className={styles.entry}>
            <span className={styles.dot} data-part={name} />
            {label}
            <span className={styles.amount}>{sizeText(bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
