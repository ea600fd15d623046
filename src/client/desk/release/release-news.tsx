import { Button } from '@mantine/core'
import { look } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { ChangelogSection, Release } from '#shared/schemas/desk/release.schemas.ts'
import { Disclosure } from '../../kit/control/disclosure.tsx'
import { trpc } from '../../trpc.ts'
import styles from './release.module.css'

type ReleaseNewsProps = { release: Release; news: NonNullable<Release['news']> }

/** Until an admin dismisses it. */
export function ReleaseNews({ release, news }: ReleaseNewsProps) {
  const utils = trpc.useUtils()
  const dismiss = trpc.release.dismissNews.useMutation({
    onSuccess: () => utils.release.get.setData(undefined, { ...release, news: null }),
    onError: notifyFailure('Could not be dismissed'),
  })
  return (
    <Panel
      title={`New in Clutch ${release.version}`}
      about={`Before the update this site ran ${news.since}.`}
      action={
        <Button variant="default" disabled={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
      }
    >
      <Disclosure label="What changed">
        <div className={styles.news}>
          {news.sections.map((section) => (
            <Section key={section.version} section={section} isAlone={news.sections.length === 1} />
          ))}
        </div>
      </Disclosure>
    </Panel>
  )
}

function Section({ section, isAlone }: { section: ChangelogSection; isAlone: boolean }) {
  return (
    <>
      {!isAlone && <h3 className={look('smallHeading')}>{section.version}</h3>}
      {section.changes.map(({ kind, entries }) => (
        <div key={kind}>
          <h4 className={look('below4', 'note', 'bodyFont')}>{kind}</h4>
          <ul className={styles.entries}>
            {entries.map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}
