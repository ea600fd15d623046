import { Button } from '@mantine/core'
import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { countOf, formatTenths } from '#shared/text/format.ts'
import { type Cut, moveEnd, partOf } from './cut-list.ts'
import classes from './cut-panel.module.css'
import { nameOf } from './names.ts'
import { lengthOf, type Recording, type Squad } from './squad.ts'

const STEP_SECONDS = 0.5

/** A stretch of a recording, in its own seconds. */
export type CutPart = { recording: Recording; fromSeconds: number; toSeconds: number }

type CutPanelProps = {
  squad: Squad
  recordings: readonly Recording[]
  cuts: readonly Cut[]
  viewerId: number
  onChange: (cuts: Cut[]) => void
  /** The button that makes a montage of the parts. */
  renderExport: (parts: CutPart[]) => ReactNode
}

/** Who is large when. */
export function CutPanel(props: CutPanelProps) {
  const { squad, recordings, cuts, viewerId, onChange, renderExport } = props
  const [chosen, setChosen] = useState(0)
  const cut = cuts[chosen]
  const length = lengthOf(recordings)
  const known = cuts.flatMap((one) => toPart(one, recordings))
  const isFree = ({ recording: { video } }: CutPart) =>
    video.userId === viewerId || video.allowsClipVideos
  const free = known.filter(isFree)
  const forbidden = [
    ...new Set(known.filter((part) => !isFree(part)).map((part) => part.recording)),
  ]
  return (
    <Panel
      title="Cut list"
      about={`${countOf(cuts.length, 'cut')}: who is large when. It stays on this device.`}
      action={
        <div className={row(8, 'wrap')}>
          <Button variant="subtle" onClick={() => onChange([])}>
            Clear
          </Button>
          {renderExport(free)}
        </div>
      }
    >
      {forbidden.length > 0 && (
        <p className={look('note')} role="status">
          {new Intl.ListFormat('en').format(forbidden.map(nameOf))}{' '}
          {forbidden.length === 1 ? 'does' : 'do'} not allow others to make videos of the recording,
          so these cuts are left out of an export.
        </p>
      )}
      <ol className={classes.strip} aria-label="Cuts">
        {cuts.map((one, index) => {
          const name = nameOfCut(one, recordings)
          const place = {
            left: `${(one.fromSeconds / length) * 100}%`,
            width: `${((one.toSeconds - one.fromSeconds) / length) * 100}%`,
          }
          return (
            <li key={one.fromSeconds} className={classes.place} style={place as CSSProperties}>
              <button
                type="button"
                className={`${look('oneLine')} ${classes.cut}`}
                aria-pressed={index === chosen}
                aria-label={`${name}, ${formatTenths(one.fromSeconds)} to ${formatTenths(one.toSeconds)}`}
                onClick={() => {
                  setChosen(index)
                  squad.clock.seek(one.fromSeconds)
                }}
              >
                {name}
              </button>
            </li>
          )
        })}
      </ol>
      {cut && (
        <div className={row([8, 24], 'wrap', 'between')}>
          <InlineSelect
            label="Large"
            options={recordings.map((one) => ({ value: `${one.video.id}`, label: nameOf(one) }))}
            value={`${cut.videoId}`}
            onChange={(id) =>
              onChange(cuts.map((one) => (one === cut ? { ...one, videoId: Number(id) } : one)))
            }
          />
          {(['from', 'to'] as const).map((end) => (
            <End
              key={end}
              end={end}
              seconds={end === 'from' ? cut.fromSeconds : cut.toSeconds}
              onMove={(seconds) => onChange(moveEnd(cuts, { index: chosen, end, seconds }))}
            />
          ))}
          <IconButton
            variant="subtle"
            className={look('square')}
            aria-label="Remove this cut"
            hint="Remove"
            onClick={() => {
              onChange(cuts.filter((one) => one !== cut))
              setChosen(Math.max(0, chosen - 1))
            }}
          >
            <IconTrash size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
      )}
    </Panel>
  )
}

type EndProps = { end: 'from' | 'to'; seconds: number; onMove: (seconds: number) => void }

function End({ end, seconds, onMove }: EndProps) {
  const what = end === 'from' ? 'Start' : 'End'
  return (
    <div className={row(4)}>
      <span className={look('muted')}>{what}</span>
      <IconButton
        variant="subtle"
        className={look('square')}
        aria-label={`${what} half a second earlier`}
        onClick={() => onMove(seconds - STEP_SECONDS)}
      >
        <IconMinus size={18} stroke={1.75} aria-hidden />
      </IconButton>
      <output className={classes.time}>{formatTenths(seconds)}</output>
      <IconButton
        variant="subtle"
        className={look('square')}
        aria-label={`${what} half a second later`}
        onClick={() => onMove(seconds + STEP_SECONDS)}
      >
        <IconPlus size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}

const nameOfCut = ({ videoId }: Cut, recordings: readonly Recording[]) => {
  const recording = recordings.find(({ video }) => video.id === videoId)
  return recording ? nameOf(recording) : 'Gone'
}

function toPart(cut: Cut, recordings: readonly Recording[]): CutPart[] {
  const recording = recordings.find(({ video }) => video.id === cut.videoId)
  if (!recording) return []
  const { offsetSeconds, video } = recording
  const part = partOf(cut, { offsetSeconds, durationSeconds: video.duration })
  return part ? [{ recording, ...part }] : []
}
