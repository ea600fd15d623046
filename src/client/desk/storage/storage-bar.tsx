import { look, row } from '#client/kit/layout/layout.ts'
import type { Storage } from '#shared/schemas/desk/overview.schemas.ts'
import styles from '../site/overview.module.css'
import { sizeText } from './size-text.ts'

const MEDIA = [
  ['originals', 'Originals'],
  ['videos', 'Videos'],
  ['renditions', 'Renditions'],
  ['pictures', 'Pictures'],
] as const
const LOCAL = [
  ['uploads', 'Uploads in progress'],
  ['database', 'Database'],
] as const

type Part = { name: string; label: string; bytes: number }
type Name = (typeof MEDIA)[number][0] | (typeof LOCAL)[number][0]

/** On the disk and in a remote store. */
export function StorageBar({ storage }: { storage: Storage }) {
  const { elsewhere } = storage
  const toParts = (list: readonly (readonly [Name, string])[]) =>
    list.map(([name, label]) => ({ name, label, bytes: storage[name] }))
  if (!elsewhere) return <Bar parts={withRest(storage, toParts([...MEDIA, ...LOCAL]))} />
  const { store, limit, copies } = elsewhere
  const media = toParts(MEDIA)
  const left = { name: 'free', label: 'Left', bytes: Math.max(0, (limit ?? 0) - sumOf(media)) }
  return (
    <>
      <p>
        The media are in {store}, and take {sizeText(sumOf(media))} there:
      </p>
      <Bar parts={limit === null ? media : [...media, left]} />
      <p>On this machine:</p>
      <Bar
        parts={withRest(storage, [
          { name: 'copies', label: 'Copies of videos', bytes: copies },
          ...toParts(LOCAL),
        ])}
      />
    </>
  )
}

function withRest({ disk, free }: Storage, own: Part[]): Part[] {
  const other = Math.max(0, disk - free - sumOf(own))
  return [
    ...own,
    { name: 'other', label: 'Other files on the disk', bytes: other },
    { name: 'free', label: 'Free', bytes: free },
  ]
}

const sumOf = (parts: Part[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0)

function Bar({ parts }: { parts: Part[] }) {
  const all = sumOf(parts)
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
          <li key={name} className={row(8)}>
            <span className={styles.dot} data-part={name} />
            {label}
            <span className={look('marginStartAuto', 'muted')}>{sizeText(bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
