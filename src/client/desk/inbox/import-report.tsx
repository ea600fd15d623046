import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { column, look, stack } from '#client/kit/layout/layout.ts'
import type { ImportRun } from '#shared/schemas/desk/import.schemas.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { SOURCE_NAMES } from './import-words.ts'

type ImportReportProps = { run: ImportRun; onClose: () => void }

export default function ImportReport({ run, onClose }: ImportReportProps) {
  const { source, given, ownerName, report, error } = run
  if (!report) return null
  const { imported, there, bytes, playlists, problems, problemCount, notes } = report
  const left = problemCount - problems.length
  return (
    <Dialog title={`Import from ${SOURCE_NAMES[source]}`} size={720} onClose={onClose}>
      <div className={column(16)}>
        <p className={look('breakWords')}>
          {given}, for @{ownerName}. {countOf(imported, 'video')} imported, {formatBytes(bytes)}.{' '}
          {there} were there already.
          {playlists > 0 && ` ${countOf(playlists, 'playlist')} imported.`}
        </p>
        {error && (
          <p className={look('problem')} role="alert">
            {error}
          </p>
        )}
        {problems.length > 0 && (
          <section className={stack(8)} aria-label="What did not come">
            <h3 className={look('smallHeading')}>What did not come</h3>
            <ul className={stack(8)}>
              {problems.map(({ path, sentence }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change.
                <li key={index} className={look('breakWords')}>
                  <span className={look('strong')}>{path}</span>
                  <span className={look('block', 'note')}>{sentence}</span>
                </li>
              ))}
            </ul>
            {left > 0 && <p className={look('note')}>And {left} more.</p>}
          </section>
        )}
        {notes.length > 0 && (
          <section className={stack(8)} aria-label="Notes">
            <h3 className={look('smallHeading')}>Notes</h3>
            <ul className={stack(8)}>
              {notes.map((note, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change.
                <li key={index} className={look('note', 'breakWords')}>
                  {note}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}
